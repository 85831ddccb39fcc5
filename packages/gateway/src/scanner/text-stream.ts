import type { CallContext } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { Applicable } from '@probity/governance';
import type { Finding, StreamStep } from '@probity/pipeline';
import { createStreamScanner, StreamTooLongError } from '@probity/pipeline';
import type { ScanOrigin } from '../snapshot/allowlists.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { ValueOf } from './found-values.ts';
import type { ScannerOptions } from './report.ts';
import { reportFailure, reportScan } from './report.ts';
import type { ScanSummary } from './scan-summary.ts';
import { streamSummaryOf } from './scan-summary.ts';

/** A text that is to be scanned while it comes in. */
export interface GatewayStreamRequest {
  readonly prompt?: string | undefined;
  readonly context?: readonly string[] | undefined;
  readonly policyIds?: readonly string[] | undefined;
  readonly origin: ScanOrigin;
  /** Personal data is replaced, and does not block. */
  readonly isRedacting: boolean;
  /** UTF-16 units that are held back at least; 256 is the least. */
  readonly holdBack: number;
}

/** What is known after a part. */
export interface GatewayStep {
  /** May be passed on; it is final. */
  readonly text: string;
  /** UTF-16 units of the text, from its beginning, that have been passed on by now. */
  readonly released: number;
  /** Found since the step before. */
  readonly findings: readonly Finding[];
  /** At the end, or at once where the text is blocked. */
  readonly summary: ScanSummary | null;
}

/** A text that comes in parts. Each call is awaited before the next. */
export interface GatewayStream {
  /**
   * @throws ProbityError `payload_too_large` when the text gets longer than `server.max_payload_size`
   * @throws ScanCanceledError when the context's signal aborts
   */
  feed(text: string): Promise<GatewayStep>;
  end(): Promise<GatewayStep>;
}

/** Less would pass on the beginning of what is found at its end. */
const LEAST_HOLD_BACK = 256;
const MOST_HOLD_BACK = 4_096;
/** Length of the longest private key: what it has before its end must not have been passed on. */
const LONGEST_SECRET = 16_384;

/** How much of a text that comes in parts is held back at most under a snapshot, in UTF-16 units. */
export function maxHoldBackOf({ stages }: GatewaySnapshot): number {
  const hasSecrets = stages.some(({ name, enabled }) => enabled && name === 'secrets_scanner');
  return hasSecrets ? LONGEST_SECRET : MOST_HOLD_BACK;
}

/** Opens a text under a snapshot, under which it is scanned to its end. */
export function openTextStream(
  snapshot: GatewaySnapshot,
  options: ScannerOptions,
  context: CallContext,
  request: GatewayStreamRequest,
): GatewayStream {
  const { clock } = options;
  const startedAtMs = clock.monotonicMs();
  const elapsed = () => clock.monotonicMs() - startedAtMs;
  // What is found may be recorded with its value; the parts are not copied until then.
  let read = '';
  const textOf = ({ field, contextIndex = 0 }: Parameters<ValueOf>[0]) => {
    if (field === 'response') return read;
    return field === 'prompt' ? request.prompt : request.context?.[contextIndex];
  };
  const matched: ValueOf = (found) => textOf(found)?.slice(found.start, found.end);
  const bypass = snapshot.allowlists.bypassOf(request.origin);
  const scanner = createStreamScanner(options.informed(snapshot.pipeline), {
    ...(request.prompt ? { prompt: request.prompt } : {}),
    ...(request.context?.length ? { context: request.context } : {}),
    policies: policiesOf(snapshot, request).map(({ policy }) => policy),
    holdBack: Math.min(MOST_HOLD_BACK, Math.max(LEAST_HOLD_BACK, request.holdBack)),
    maxHoldBack: maxHoldBackOf(snapshot),
    maxLength: snapshot.config.server.max_payload_size,
    ...(context.signal && { signal: context.signal }),
  });
  const toStep = ({ text, releasable, findings, final, decision, result }: StreamStep) => {
    if (!final || decision === undefined) {
      return { text, released: releasable, findings, summary: null };
    }
    const summary = streamSummaryOf(decision, result, null, clock.now());
    const facts = { userId: request.origin.userId, matched };
    reportScan(snapshot, options, context, { summary, durationMs: elapsed(), facts });
    return { text, released: releasable, findings, summary };
  };
  const attempt = async (work: () => Promise<StreamStep>): Promise<GatewayStep> => {
    try {
      return toStep(await work());
    } catch (thrown) {
      const error = thrown instanceof StreamTooLongError ? tooLong(thrown) : thrown;
      const { userId } = request.origin;
      reportFailure(snapshot, options, context, { error, durationMs: elapsed(), userId });
      throw error;
    }
  };
  if (bypass === null) {
    return {
      feed(text) {
        read += text;
        return attempt(() => scanner.feed(text));
      },
      end: () => attempt(() => scanner.end()),
    };
  }
  let released = 0;
  return {
    async feed(text) {
      released += text.length;
      return { text, released, findings: [], summary: null };
    },
    async end() {
      const nothing = { verdict: 'allowed', findings: [], policyIds: [] } as const;
      const summary = streamSummaryOf(nothing, undefined, bypass, clock.now());
      const facts = { userId: request.origin.userId, matched };
      reportScan(snapshot, options, context, { summary, durationMs: elapsed(), facts });
      return { text: '', released, findings: [], summary };
    },
  };
}

function policiesOf(
  { policies }: GatewaySnapshot,
  { isRedacting }: GatewayStreamRequest,
): readonly Applicable[] {
  return isRedacting ? policies.redacting : policies.blocking;
}

function tooLong(cause: StreamTooLongError): ProbityError {
  return new ProbityError('payload_too_large', 'The text is longer than server.max_payload_size.', {
    cause,
  });
}
