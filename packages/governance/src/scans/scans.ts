import type { CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound, validationError } from '@probity/core';
import type { StoringGuard } from '@probity/pipeline';
import { faultsOfContent, faultsOfWhole } from './content.ts';
import type { GuardRequest } from './guard.ts';
import { createGuards } from './guard.ts';
import type { PrepareScan, ScanOptions } from './scan.ts';
import { requireScanRequest } from './scan.ts';
import { openScanStream } from './stream/scan-stream.ts';
import type { ScanStreamEvent, StreamedScanRequest } from './stream/types.ts';
import type { Scan, ScanFilter, ScanOutcome, ScanRequest } from './types.ts';

/** Scans content by the organization's policies. */
export interface Scans {
  /**
   * Scans the response of a model or a conversation, decides by policy and stores the outcome with its alert and
   * events, in one transaction. A blocked scan is an outcome, not an error. The context's signal
   * cancels the scan; nothing is stored then.
   *
   * @throws TypeError for a text that is not a string, and for an unknown member of `request`
   * @throws ProbityError `validation_failed` when `policyIds` is empty or names an unknown policy, with every fault of
   *   messages, for messages together with a prompt or a response, and for neither a response nor messages
   * @throws ScanCanceledError when the context's signal aborts
   */
  scan(context: CallContext, request: ScanRequest): Promise<ScanOutcome>;
  /**
   * Scans a response while it comes in, and gives what of it may be passed on. What is given is final; a finding is
   * known before any of it is passed on, within the limits of `createStreamScanner` of the pipeline. Prompt, passages
   * and messages are decided on first, and the response is the next message of the latter.
   *
   * The outcome is stored at the end, as that of {@link scan} with the whole response; also where the reader stops, the
   * context's signal aborts, or the response breaks off: then of what has come until then.
   *
   * @param response the parts of the response, cut anywhere; read no faster than the events are
   * @throws ProbityError as {@link scan} does; while it is read, what `response` throws, `payload_too_large` for
   *   more than 10,485,760 UTF-16 units, and `invalid_request` when nothing comes for 5 minutes or it takes an hour
   */
  scanStream(
    context: CallContext,
    request: StreamedScanRequest,
    response: AsyncIterable<string>,
  ): Promise<AsyncIterable<ScanStreamEvent>>;
  /**
   * A guard for `guardStream`, `guardOpenAI`, `guardAnthropic`, `guardMiddleware` and `guardChatModel` of the
   * pipeline that stores what {@link scan} stores: one scan for each check, stream or call of a model, with its alert
   * and events. A blocked request is stored without an answer; an answer that breaks off, as far as it came. A call whose
   * model fails before it answers is not stored. It reads the policies of the organization when an exchange begins.
   *
   * @throws TypeError for a member of `request` that does not exist
   * @example
   * const client = guardOpenAI(new OpenAI(), { guard: governance.guard(contextOf({ organizationId })) });
   */
  guard(context: CallContext, request?: GuardRequest): StoringGuard;
  /**
   * The stored records of scans, newest first.
   */
  list(context: CallContext, filter: ScanFilter, page: Page): Promise<PageOf<Scan>>;
  /**
   * The stored record of a scan.
   * @throws ProbityError `not_found` when the organization has no such scan, or no longer has it
   */
  get(context: CallContext, id: string): Promise<Scan>;
}

/** Dependencies of the service beside a runtime. */
export interface ScanServiceOptions extends ScanOptions {
  readonly prepare: PrepareScan;
}

/** Creates the scan service. */
export function createScans(runtime: Runtime, options: ScanServiceOptions): Scans {
  const { storage, prepare } = options;
  return {
    async scan(context, request) {
      requireScanRequest(context, request);
      const faults = await faultsOfContent(request, faultsOfWhole);
      if (faults.length > 0) throw validationError(...faults);
      const prepared = await prepare(context, request);
      await prepared.store(context);
      return prepared.outcome;
    },

    guard: createGuards(runtime, options),

    scanStream(context, request, response) {
      return openScanStream(runtime, options, context, request, response);
    },

    list: ({ principal }, filter, page) =>
      storage.listScans(principal.organizationId, filter, page),

    async get({ principal }, id) {
      const scan = await storage.findScan(principal.organizationId, id);
      if (!scan) throw notFound('scan');
      return scan;
    },
  };
}
