import type { MetricDefinition } from '@probity/core';

function counter(name: string, help: string, labels: readonly string[] = []): MetricDefinition {
  return Object.freeze({ name, kind: 'counter', help, labels });
}

function gauge(name: string, help: string, labels: readonly string[] = []): MetricDefinition {
  return Object.freeze({ name, kind: 'gauge', help, labels });
}

/** A gauge that over several processes is the largest one. */
function largest(name: string, help: string, labels: readonly string[] = []): MetricDefinition {
  return Object.freeze({ name, kind: 'gauge', help, labels, merge: 'max' });
}

/** A gauge that over several processes is the mean of all. */
function average(name: string, help: string): MetricDefinition {
  return Object.freeze({ name, kind: 'gauge', help, labels: [], merge: 'average' });
}

/** Upper bounds of durations in seconds. */
const BUCKETS = [
  ...[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1],
  ...[0.25, 0.5, 1, 2.5, 5, 10, 30],
];

function seconds(name: string, help: string, labels: readonly string[] = []): MetricDefinition {
  return Object.freeze({ name, kind: 'histogram', help, labels, buckets: BUCKETS });
}

/** The metrics of the gateway; the first twelve are those of the specification. */
export const METRICS = Object.freeze({
  requests: counter('gateway_requests_total', 'Requests, by method and status.', [
    'method',
    'status',
  ]),
  requestDuration: seconds('gateway_request_duration_seconds', 'Duration of requests.', ['method']),
  pii: counter('gateway_pii_detections_total', 'Findings of personal data, by type.', ['type']),
  hallucinations: counter('gateway_hallucinations_detected', 'Findings of hallucinations.'),
  injections: counter('gateway_injection_attempts_total', 'Findings of injection, by type.', [
    'type',
  ]),
  toxicity: counter('gateway_toxicity_detections_total', 'Findings of toxicity, by category.', [
    'category',
  ]),
  databaseQueries: counter('gateway_database_queries_total', 'Statements, by type.', ['type']),
  databaseDuration: seconds('gateway_database_query_duration_seconds', 'Duration of statements.'),
  databasePool: gauge('gateway_database_pool_size', 'Connections that are kept.'),
  cacheHits: counter('gateway_cache_hits_total', 'Results found in a cache, by type.', ['type']),
  cacheMisses: counter('gateway_cache_misses_total', 'Results not found in a cache, by type.', [
    'type',
  ]),
  cacheRatio: average('gateway_cache_hit_ratio', 'Share of look-ups that found a result.'),
  refusals: counter(
    'gateway_refusals_total',
    'Requests that were refused before anything was scanned, by reason.',
    ['reason'],
  ),
  auditRows: counter(
    'gateway_audit_rows_total',
    'Rows of the audit table, by what became of them.',
    ['result'],
  ),
  auditWaiting: gauge('gateway_audit_rows_waiting', 'Rows that wait to be written.'),
  stageDuration: seconds('gateway_stage_duration_seconds', 'Duration of stages.', ['stage']),
  stageFailures: counter(
    'gateway_stage_failures_total',
    'Stages that failed or ran out of time, by what followed.',
    ['stage', 'mode'],
  ),
  reloads: counter('gateway_config_reloads_total', 'Reloads of the configuration.', ['result']),
  configInfo: largest('gateway_config_info', '1 for the configuration in force.', ['hash']),
  alertActive: largest('gateway_alert_active', 'Whether an alert is active.', ['alert']),
  modelCalls: counter('gateway_model_calls_total', 'Calls of models, by outcome.', [
    ...['provider', 'status'],
  ]),
  modelDuration: seconds('gateway_model_call_duration_seconds', 'Duration of calls of models.', [
    'provider',
  ]),
  modelTokens: counter('gateway_model_tokens_total', 'Tokens of calls of models.', [
    ...['provider', 'direction'],
  ]),
  failedAttempts: counter(
    'gateway_model_failed_attempts_total',
    'Attempts to call models after which another one may be made, by error.',
    ['provider', 'error'],
  ),
  loopLag: largest('gateway_event_loop_lag_seconds', '99th percentile of the last delays.'),
  workers: gauge('gateway_workers', 'Serving processes that take requests.'),
});

/** How a request ended, as `gateway_requests_total` names it. */
const REQUEST_STATUSES = ['success', 'blocked', 'error'] as const;

/** How a request ended. */
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** Why a request was refused before anything was scanned. */
const REFUSAL_REASONS = [
  ...(['credential', 'permission', 'rate_limit', 'model_rate_limit'] as const),
  ...(['token_budget', 'unknown_model', 'unavailable'] as const),
] as const;

/** Why a request was refused. */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** What an attempt to call a model failed by. */
export type AttemptError =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'rate_limit'
  | 'model_rate_limit'
  | 'client_error'
  | 'server_error';

/** Types of statements of the audit database. */
const STATEMENTS = ['select', 'insert', 'delete'] as const;

/** One of the types of statements. */
export type StatementType = (typeof STATEMENTS)[number];

/** Types of caches. */
const CACHES = ['scan', 'embedding'] as const;

/** One of the types of caches. */
export type CacheType = (typeof CACHES)[number];

/** The series that are there from the start, whatever the configuration. */
export const STARTING_SERIES: readonly (readonly [MetricDefinition, Record<string, string>])[] = [
  ...REQUEST_STATUSES.map((status) => [METRICS.requests, { method: 'scan', status }] as const),
  ...REFUSAL_REASONS.map((reason) => [METRICS.refusals, { reason }] as const),
  ...STATEMENTS.map((type) => [METRICS.databaseQueries, { type }] as const),
  ...['written', 'lost'].map((result) => [METRICS.auditRows, { result }] as const),
  ...CACHES.flatMap((type) => [
    [METRICS.cacheHits, { type }] as const,
    [METRICS.cacheMisses, { type }] as const,
  ]),
  ...['reloaded', 'failed'].map((result) => [METRICS.reloads, { result }] as const),
  [METRICS.hallucinations, {}],
];
