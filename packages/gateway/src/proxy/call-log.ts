import type { CallContext } from '@probity/core';
import { toProbityError } from '@probity/core';
import { BlockedError, ScanCanceledError } from '@probity/pipeline';
import { METRICS } from '../metrics/definitions.ts';
import type { ScannerOptions } from '../scanner/report.ts';
import type { AnswerFacts } from '../tracing/model-spans.ts';
import type { TraceSpan } from '../tracing/tracing.ts';
import { spanOf, traceFields } from '../tracing/tracing.ts';
import type { ModelRoute } from './model-routes.ts';
import { nameOf } from './model-routes.ts';
import { BLOCKED_TYPE, faultOf, ownWordOf } from './proxy-error.ts';
import type { TokenUsage } from './usage.ts';

/** How a call of a model ended. */
type CallOutcome = 'success' | 'blocked' | 'canceled' | 'error';

/** What is known of a call at its end. */
export interface EndedCall {
  /** Who answered; the model that was asked for, where nobody did. */
  readonly route: ModelRoute;
  /** The model that was asked for. */
  readonly requested: ModelRoute;
  readonly operation: string;
  readonly isStream: boolean;
  readonly attempts: number;
  readonly usage: TokenUsage | null;
  /** Whether `usage` is an estimate. */
  readonly isEstimate: boolean;
  readonly unscanned: ReadonlyMap<string, number>;
  readonly durationMs: number;
  /** The span of the attempt that was answered. */
  readonly span: TraceSpan | undefined;
  /** What is shown of the answer. */
  readonly facts: AnswerFacts | undefined;
  readonly error?: unknown;
}

/** Counts and logs calls of models. */
export function logCall(
  { logger, metrics }: ScannerOptions,
  context: CallContext,
  call: EndedCall,
): void {
  const { principal, requestId } = context;
  const { route, usage, error, span, facts } = call;
  const { providerId: provider } = route;
  const status = outcomeOf(error);
  metrics.count(METRICS.modelCalls, { provider, status });
  metrics.observe(METRICS.modelDuration, { provider }, call.durationMs / 1_000);
  if (usage !== null) {
    metrics.count(METRICS.modelTokens, { provider, direction: 'input' }, usage.input);
    metrics.count(METRICS.modelTokens, { provider, direction: 'output' }, usage.output);
  }
  facts?.end(usage, call.isEstimate);
  if (status === 'error') span?.fail(ownWordOf(error));
  if (status === 'canceled') span?.set({ 'error.type': status });
  span?.end();
  const fields: Record<string, unknown> = Object.assign(
    {
      request_id: requestId,
      duration_ms: Math.round(call.durationMs * 1_000) / 1_000,
      client_id: principal.keyId,
    },
    traceFields(spanOf(context)),
    {
      result: status,
      model: nameOf(route),
      operation: call.operation,
      stream: call.isStream,
      attempts: call.attempts,
    },
  );
  if (call.requested !== route) fields.requested_model = nameOf(call.requested);
  if (usage) fields.tokens = call.isEstimate ? { ...usage, estimated: true } : usage;
  if (call.unscanned.size > 0) fields.unscanned = Object.fromEntries(call.unscanned);
  if (status === 'error') fields.error = codeOf(error);
  logger[status === 'error' ? 'warn' : 'info']('model call', fields);
}

function outcomeOf(error: unknown): CallOutcome {
  if (error === undefined) return 'success';
  const { name } = error as Error;
  if (error instanceof ScanCanceledError || name === 'ScanCanceledError') return 'canceled';
  if (error instanceof BlockedError) return 'blocked';
  return faultOf(toProbityError(error), 0).type === BLOCKED_TYPE ? 'blocked' : 'error';
}

/** A word of a provider helps its operator; letters alone repeat no value of a request. */
function codeOf(error: unknown): string {
  const known = toProbityError(error);
  const { code } = faultOf(known, known.status);
  return code !== null && /^[A-Za-z_]{1,64}$/.test(code) ? code : ownWordOf(error);
}
