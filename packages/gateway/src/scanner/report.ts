import type { CallContext, Clock, Ids, Logger, Metrics } from '@probity/core';
import { toProbityError } from '@probity/core';
import type { Pipeline } from '@probity/pipeline';
import { ScanCanceledError } from '@probity/pipeline';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { AuditFinding, ScanSubject } from '../audit/rows.ts';
import type { PersonalData } from '../compliance/personal-data.ts';
import type { RequestStatus } from '../metrics/definitions.ts';
import { METRICS } from '../metrics/definitions.ts';
import type { AlertMonitor } from '../monitoring/alert-monitor.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import { traceFailedScan, traceScan } from '../tracing/scan-spans.ts';
import type { TraceSpan, Tracing } from '../tracing/tracing.ts';
import { spanOf, traceFields } from '../tracing/tracing.ts';
import { afterWriting } from './after-writing.ts';
import type { Detections } from './detections.ts';
import { countDetections } from './detections.ts';
import type { ValueOf } from './found-values.ts';
import { toAuditFindings } from './found-values.ts';
import type { ScanSummary } from './scan-summary.ts';

/** Dependencies of a scanner. */
export interface ScannerOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly alerts: AlertMonitor;
  readonly audit: AuditRecorder;
  /** How personal data appears in what is stored and logged. */
  readonly personal: PersonalData;
  /** The pipeline with the knowledge base, once that is open. */
  readonly informed: (pipeline: Pipeline) => Pipeline;
  /** The same, with what a cache keeps of it, once that is open; look-ups are shown below the span. */
  readonly cached: (pipeline: Pipeline, span?: TraceSpan) => Pipeline;
  /** Null where traces are off. */
  readonly tracing: Tracing | null;
  /** Counts a scan for the platform; absent without one. */
  readonly countScan?: (() => void) | undefined;
}

/** What is recorded of a scan beside its result. */
interface ScanFacts {
  readonly userId: string | undefined;
  /** The findings, where they stand otherwise than in the summary. */
  readonly findings?: Parameters<typeof toAuditFindings>[0];
  readonly matched: ValueOf;
  readonly about?: ScanSubject | undefined;
}

/** Values of personal data in a log record. */
const LOGGED_VALUES = 10;

const NO_DETECTIONS: Detections = Object.freeze({ pii: 0, injection: 0, toxicity: 0 });

interface ReportedScan {
  readonly summary: ScanSummary;
  readonly durationMs: number;
  readonly facts: ScanFacts;
  /** The span of the scan, where it was begun with it. */
  readonly span?: TraceSpan | undefined;
}

/** Counts, logs and records a scan; most of it behind what this turn of the event loop writes. */
export function reportScan(
  snapshot: GatewaySnapshot,
  options: ScannerOptions,
  context: CallContext,
  { summary, durationMs, facts, span }: ReportedScan,
): void {
  const trace = spanOf(context);
  if (trace) traceScan(trace, { summary, durationMs, hash: snapshot.hash }, span);
  if (summary.bypass === null) options.countScan?.();
  // At once, since they are looked up in texts that need not be kept.
  const found = facts.findings ?? summary.findings;
  const findings = toAuditFindings(found, facts.matched, options.personal);
  const { userId, about } = facts;
  const recorded = { summary, durationMs, userId, about, findings };
  afterWriting(context, options.logger, () => recordScan(snapshot, options, context, recorded));
}

interface RecordedScan extends Pick<ReportedScan, 'summary' | 'durationMs'> {
  readonly userId: string | undefined;
  readonly about: ScanSubject | undefined;
  readonly findings: readonly AuditFinding[];
}

function recordScan(
  snapshot: GatewaySnapshot,
  { logger, metrics, alerts, audit, personal }: ScannerOptions,
  context: CallContext,
  { summary, durationMs, userId, about, findings }: RecordedScan,
): void {
  const { requestId, principal, address } = context;
  const { outcome, bypass, violation } = summary;
  const trace = spanOf(context);
  const detections = countDetections(summary, metrics);
  const status = outcome === 'blocked' ? 'blocked' : 'success';
  reportStages(snapshot, { logger, metrics }, context, summary.stages);
  countRequest(metrics, status, durationMs);
  alerts.record({ isError: false, durationMs, pii: detections.pii });
  const values = findings.flatMap(({ type, value }) =>
    value === undefined ? [] : [{ type, value }],
  );
  // Members that are undefined are not written.
  logger.info('scan', {
    request_id: requestId,
    duration_ms: roundMs(durationMs),
    detections,
    result: outcome,
    client_id: principal.keyId,
    trace_id: trace?.traceId,
    span_id: trace?.spanId,
    pii: values.length > 0 ? values.slice(0, LOGGED_VALUES) : undefined,
    bypass: bypass ?? undefined,
    stage: violation?.reason.split(' ')[0],
    ...subjectFields(about),
  });
  audit.scan(
    snapshot.config,
    personal,
    { requestId, clientId: principal.keyId, userId, address },
    {
      result: outcome,
      isDegraded: summary.isDegraded,
      durationMs: roundMs(durationMs),
      configHash: snapshot.hash,
      reason: violation?.reason ?? null,
      bypass,
      about,
      scores: summary.scores,
      findings,
      omitted: summary.omitted.reduce((total, { count }) => total + count, 0),
    },
  );
}

function reportStages(
  snapshot: GatewaySnapshot,
  { logger, metrics }: Pick<ScannerOptions, 'logger' | 'metrics'>,
  context: CallContext,
  stages: ScanSummary['stages'],
): void {
  for (const stage of stages) {
    metrics.observe(METRICS.stageDuration, { stage: stage.name }, stage.durationMs / 1_000);
    if (stage.status !== 'failed' && stage.status !== 'timeout') continue;
    const isOpen = snapshot.stages.find(({ name }) => name === stage.name)?.failOpen ?? true;
    const mode = isOpen ? 'open' : 'closed';
    metrics.count(METRICS.stageFailures, { stage: stage.name, mode });
    const error = stage.status === 'timeout' ? 'out of time' : 'failed';
    const { name } = stage;
    const { requestId } = context;
    const fields = { request_id: requestId, stage: name, error, ...traceFields(spanOf(context)) };
    logger.warn('a stage did not finish', fields);
  }
}

/** Counts, logs and records a scan that has no result. */
export function reportFailure(
  snapshot: GatewaySnapshot,
  { logger, metrics, alerts, audit, personal }: ScannerOptions,
  context: CallContext,
  { error, durationMs, userId, about, span }: FailedScan,
): void {
  const { requestId, principal, address } = context;
  const { kind, status } = toProbityError(error);
  const trace = spanOf(context);
  const type = error instanceof ScanCanceledError ? 'canceled' : kind;
  if (trace) traceFailedScan(trace, { type, durationMs, hash: snapshot.hash }, span);
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
    ...traceFields(trace),
    ...subjectFields(about),
    error: error instanceof ScanCanceledError ? 'canceled' : isOurs ? error : kind,
  });
  audit.scan(
    snapshot.config,
    personal,
    { requestId, clientId: principal.keyId, userId, address },
    {
      result: 'error',
      isDegraded: false,
      durationMs: roundMs(durationMs),
      configHash: snapshot.hash,
      reason: type,
      ...{ bypass: null, about, scores: {}, findings: [], omitted: 0 },
    },
  );
}

/** Counts a request that the gateway could not scan, and so has refused. */
export function reportUnscanned({ metrics, alerts }: ScannerOptions, durationMs: number): void {
  countRequest(metrics, 'error', durationMs);
  alerts.record({ isError: true, durationMs, pii: 0 });
}

interface FailedScan {
  readonly error: unknown;
  readonly durationMs: number;
  readonly userId: string | undefined;
  readonly about?: ScanSubject | undefined;
  readonly span?: TraceSpan | undefined;
}

/** A subject, as records of the log have it. */
function subjectFields(about: ScanSubject | undefined): Readonly<Record<string, string>> {
  if (about === undefined) return {};
  if (about.kind === 'model') return { of: about.of, ...(about.model && { model: about.model }) };
  const { of, server, method, tool } = about;
  return { mcp_server: server, mcp_from: of, mcp_method: method, ...(tool && { mcp_tool: tool }) };
}

function countRequest(metrics: Metrics, status: RequestStatus, durationMs: number): void {
  metrics.count(METRICS.requests, { method: 'scan', status });
  metrics.observe(METRICS.requestDuration, { method: 'scan' }, durationMs / 1_000);
}

function roundMs(durationMs: number): number {
  return Math.round(durationMs * 1_000) / 1_000;
}
