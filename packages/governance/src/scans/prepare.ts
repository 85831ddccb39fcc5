import type { CallContext, Runtime } from '@probity/core';
import type { Redactor } from '@probity/pipeline';
import type { PreparedScan, ScanOptions } from './conclude.ts';
import { beginScan, concludeScan } from './conclude.ts';
import { scanContent, toContent, withSystem } from './content.ts';
import type { ScanRequest } from './types.ts';

/** What a scan of the package itself may ask for besides its request. */
interface ScanExtras {
  /** The instructions of the model's operator, beside a prompt and a response; default none. */
  readonly system?: string | undefined;
  /** Wraps what replaces redacted values, to see the parts that it is asked for. */
  wrapRedactor?(redactor: Redactor): Redactor;
}

/**
 * Scans content and decides by policy, without storing anything.
 * @throws what {@link Scans.scan} throws
 */
export type PrepareScan = (
  context: CallContext,
  request: ScanRequest,
  extras?: ScanExtras,
) => Promise<PreparedScan>;

const asIs = (redactor: Redactor): Redactor => redactor;

/** Creates what scans and decides. Unfinished stages are logged as warnings, without text. */
export function createPrepareScan(runtime: Runtime, options: ScanOptions): PrepareScan {
  return async (context, request, { system, wrapRedactor = asIs } = {}) => {
    const begun = await beginScan(runtime, options, context, request);
    const content = withSystem(toContent(request), system);
    const { signal } = context;
    const scanned = await scanContent(content, begun.scan, signal ? { signal } : {});
    const judgment = scanned.judge(begun.chosen, wrapRedactor(begun.redaction.redactor));
    return concludeScan(runtime, options, begun, { content, scanned, judgment });
  };
}
