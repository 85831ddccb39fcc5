import type { CallContext, Clock, Ids, Logger, Metrics } from '@probity/core';
import { toProbityError } from '@probity/core';
import { ScanCanceledError } from '@probity/pipeline';
import type { RequestStatus } from '../metrics/definitions.ts';
import { METRICS } from '../metrics/definitions.ts';
import type { AlertMonitor } from '../monitoring/alert-monitor.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { Detections } from './detections.ts';
import { countDetections } from './detections.ts';
import type { ScanSummary } from './scan-summary.ts';

/** Dependencies of a scanner. */
export interface ScannerOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly alerts: AlertMonitor;
  /** Counts a scan for the platform; absent without one. */
  readonly countScan?: (() => void) | undefined;
}

const NO_DETECTIONS: Detections = Object.freeze({ pii: 0, injection: 0, toxicity: 0 });

/** Counts and logs a scan. */
export function reportScan(
  snapshot: GatewaySnapshot,
  { logger, metrics, alerts, countScan }: ScannerOptions,
  { requestId, principal }: CallContext,
  { summary, durationMs }: { readonly summary: ScanSummary; readonly durationMs: number },
): void {
  const { outcome, bypass, violation, stages } = summary;
  const detections = countDetections(summary, metrics);
  if (bypass === null) countScan?.();
  const status = outcome === 'blocked' ? 'blocked' : 'success';
  for (const stage of stages) {
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
    ...(violation && { stage: violation.reason.split(' ')[0] }),
  });
}

/** Counts and logs a scan that has no result. */
export function reportFailure(
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
