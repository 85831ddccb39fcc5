import type { CallContext, Clock, Ids, Logger, Metrics } from '@probity/core';
import { ProbityError, toProbityError, validationError } from '@probity/core';
import type { DecidedScan, ScanRequest } from '@probity/governance';
import { decideScan } from '@probity/governance';
import { createPipeline, ScanCanceledError } from '@probity/pipeline';
import type { RequestStatus } from '../metrics/definitions.ts';
import { METRICS } from '../metrics/definitions.ts';
import type { AlertMonitor } from '../monitoring/alert-monitor.ts';
import type { Bypass, ScanOrigin } from '../snapshot/allowlists.ts';
import { GATEWAY_POLICY_ID } from '../snapshot/policy.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { Detections } from './detections.ts';
import { countDetections } from './detections.ts';

/** What every entrance asks for. */
export interface GatewayScanRequest extends ScanRequest {
  readonly origin: ScanOrigin;
}

/** How a scan ended, as log records name it. */
export type ScanOutcomeName = 'allowed' | 'flagged' | 'redacted' | 'blocked' | 'bypassed';

/** What every entrance gets. */
export interface GatewayScan {
  readonly decided: DecidedScan;
  readonly outcome: ScanOutcomeName;
  /** Why the text was not scanned; null where it was. */
  readonly bypass: Bypass | null;
  /** Whether a stage did not come to its end, and the scan went on without it. */
  readonly isDegraded: boolean;
}

/** Scans for every entrance, under one snapshot. */
export interface GatewayScanner {
  readonly snapshot: GatewaySnapshot;
  /**
   * Scans by the configuration; counts and logs the scan, whatever comes of it.
   *
   * @throws ProbityError `validation_failed` for policies that do not exist and for tokens;
   *   `unavailable` with status 504 when the scan takes longer than `server.request_timeout_ms`
   * @throws ScanCanceledError when the context's signal aborts
   */
  scan(context: CallContext, request: GatewayScanRequest): Promise<GatewayScan>;
}

/** Dependencies of a scanner. */
export interface ScannerOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly alerts: AlertMonitor;
}

const NOTHING = createPipeline({ stages: [] });
const NO_DETECTIONS: Detections = Object.freeze({ pii: 0, injection: 0, toxicity: 0 });

/** Creates the scanner that all entrances of a snapshot share. */
export function createGatewayScanner(
  snapshot: GatewaySnapshot,
  options: ScannerOptions,
): GatewayScanner {
  const { clock } = options;
  return {
    snapshot,
    async scan(context, request) {
      const startedAtMs = clock.monotonicMs();
      const elapsed = () => clock.monotonicMs() - startedAtMs;
      try {
        const scan = await scanWithin(snapshot, options, context, request);
        report(snapshot, options, context, { scan, durationMs: elapsed() });
        return scan;
      } catch (error) {
        reportFailure(options, context, { error, durationMs: elapsed() });
        throw error;
      }
    },
  };
}

async function scanWithin(
  snapshot: GatewaySnapshot,
  { clock, ids }: ScannerOptions,
  context: CallContext,
  { origin, ...request }: GatewayScanRequest,
): Promise<GatewayScan> {
  requireOwnPolicy(request.policyIds);
  const bypass = snapshot.allowlists.bypassOf(origin);
  const isRedacting = request.redaction !== undefined && request.redaction !== null;
  const { blocking, redacting } = snapshot.policies;
  const decision =
    bypass === null
      ? { pipeline: snapshot.pipeline, policies: isRedacting ? redacting : blocking }
      : { pipeline: NOTHING, policies: [] };
  const limitMs = snapshot.config.server.request_timeout_ms;
  const decided = await withDeadline({ clock, limitMs }, context.signal, (signal) => {
    const { principal, requestId, address } = context;
    const limited = { principal, requestId, address, signal };
    const runtime = { clock, ids, secretBox: undefined };
    return decideScan(runtime, limited, request, decision);
  });
  const isDegraded = decided.stages.some(
    ({ status }) => status === 'failed' || status === 'timeout',
  );
  return { decided, outcome: outcomeOf(decided, bypass), bypass, isDegraded };
}

function requireOwnPolicy(policyIds: ScanRequest['policyIds']): void {
  const unknown = (policyIds ?? []).flatMap((id, index) =>
    id === GATEWAY_POLICY_ID
      ? []
      : [
          {
            field: `policyIds.${index}`,
            message: `is unknown; the gateway has ${GATEWAY_POLICY_ID}`,
          },
        ],
  );
  if (unknown.length > 0) throw validationError(...unknown);
}

/**
 * Runs `work` until the time is over or the caller has gone.
 *
 * @throws ProbityError `unavailable` with status 504 when the time is over
 */
async function withDeadline<Result>(
  { clock, limitMs }: { readonly clock: Clock; readonly limitMs: number },
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  let isLate = false;
  const timer = clock.setTimer(() => {
    isLate = true;
    stop.abort();
  }, limitMs);
  const cancel = () => stop.abort(outer?.reason);
  if (outer?.aborted) cancel();
  outer?.addEventListener('abort', cancel, { once: true });
  try {
    return await work(stop.signal);
  } catch (error) {
    if (!isLate || !(error instanceof ScanCanceledError)) throw error;
    const message = `The scan took longer than ${limitMs} ms.`;
    throw new ProbityError('unavailable', message, { status: 504 });
  } finally {
    timer.cancel();
    outer?.removeEventListener('abort', cancel);
  }
}

function outcomeOf({ scan, redacted }: DecidedScan, bypass: Bypass | null): ScanOutcomeName {
  if (bypass !== null) return 'bypassed';
  return redacted === null ? scan.verdict : 'redacted';
}

function report(
  snapshot: GatewaySnapshot,
  { logger, metrics, alerts }: ScannerOptions,
  { requestId, principal }: CallContext,
  { scan, durationMs }: { readonly scan: GatewayScan; readonly durationMs: number },
): void {
  const { decided, outcome, bypass } = scan;
  const detections = countDetections(decided, metrics);
  const status = outcome === 'blocked' ? 'blocked' : 'success';
  for (const stage of decided.stages) {
    metrics.observe(METRICS.stageDuration, { stage: stage.name }, stage.durationMs / 1_000);
    if (stage.status !== 'failed' && stage.status !== 'timeout') continue;
    const isOpen = snapshot.stages.find(({ name }) => name === stage.name)?.failOpen ?? true;
    const mode = isOpen ? 'open' : 'closed';
    metrics.count(METRICS.stageFailures, { stage: stage.name, mode });
    const error = stage.status === 'timeout' ? 'out of time' : 'failed';
    logger.warn('a stage did not finish', { request_id: requestId, stage: stage.name, error });
  }
  countRequest(metrics, status, durationMs);
  alerts.record({ isError: false, durationMs, pii: detections.pii });
  logger.info('scan', {
    request_id: requestId,
    duration_ms: roundMs(durationMs),
    detections,
    result: outcome,
    client_id: principal.keyId,
    ...(bypass && { bypass }),
    ...(decided.scan.violation && { stage: decided.scan.violation.reason.split(' ')[0] }),
  });
}

function reportFailure(
  { logger, metrics, alerts }: ScannerOptions,
  { requestId, principal }: CallContext,
  { error, durationMs }: { readonly error: unknown; readonly durationMs: number },
): void {
  const { kind, status } = toProbityError(error);
  // A caller that left, or sent what cannot be scanned, is no failure of the gateway.
  const isOurs = !(error instanceof ScanCanceledError) && status >= 500;
  countRequest(metrics, 'error', durationMs);
  alerts.record({ isError: isOurs, durationMs, pii: 0 });
  logger[isOurs ? 'error' : 'info']('scan', {
    request_id: requestId,
    duration_ms: roundMs(durationMs),
    detections: NO_DETECTIONS,
    result: 'error',
    client_id: principal.keyId,
    error: error instanceof ScanCanceledError ? 'canceled' : isOurs ? error : kind,
  });
}

function countRequest(metrics: Metrics, status: RequestStatus, durationMs: number): void {
  metrics.count(METRICS.requests, { method: 'scan', status });
  metrics.observe(METRICS.requestDuration, { method: 'scan' }, durationMs / 1_000);
}

function roundMs(durationMs: number): number {
  return Math.round(durationMs * 1_000) / 1_000;
}
