import type { MetricDefinition } from '../metrics.ts';

/** Number of requests answered by endpoints. */
export const HTTP_REQUESTS: MetricDefinition = Object.freeze({
  name: 'probity_http_requests_total',
  kind: 'counter',
  help: 'HTTP requests, by method, route and response status.',
  labels: ['method', 'path', 'status'],
});

/** Time from request to response. */
export const HTTP_REQUEST_DURATION: MetricDefinition = Object.freeze({
  name: 'probity_http_request_duration_seconds',
  kind: 'histogram',
  help: 'Duration of HTTP requests in seconds, by method and route.',
  labels: ['method', 'path'],
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
});

/** The metrics that routers report. */
export const HTTP_METRICS: readonly MetricDefinition[] = [HTTP_REQUESTS, HTTP_REQUEST_DURATION];
