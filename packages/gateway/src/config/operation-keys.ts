import { z } from 'zod';
import { host, httpUrl } from './forms.ts';
import { flag, key, oneOf, path, section, share, urlPath, whole } from './key-kinds.ts';

/** The fields of log records that `logging.include_fields` may name. */
const LOG_FIELDS = [
  ...(['timestamp', 'level', 'message', 'request_id', 'duration_ms'] as const),
  ...(['error', 'detections', 'result', 'client_id', 'stage'] as const),
  ...(['trace_id', 'span_id'] as const),
] as const;

/** The keys below `logging`. */
export const loggingKeys = section('Log records.', {
  level: key(oneOf(['DEBUG', 'INFO', 'WARN', 'ERROR'], 'INFO'), 'L', 'Least level that is logged.'),
  format: key(oneOf(['json', 'text'], 'json'), 'L', 'Form of each line.'),
  file: key(path.optional(), 'L', 'File that lines are appended to; opened again by a reload.', {
    'x-without': 'standard output',
    'x-example': './gateway.log',
  }),
  max_size_mb: key(whole(1, 10_240, 100), 'L', 'Megabytes of the file before it is rotated.'),
  max_backups: key(whole(0, 1_000, 10), 'L', 'Rotated files that are kept; 0 keeps none.'),
  max_age_days: key(
    whole(0, 3_650, 30),
    'L',
    'Days until a rotated file is deleted; 0 for no limit.',
  ),
  include_fields: key(
    z.array(z.enum(LOG_FIELDS)).optional(),
    'L',
    'The only fields of a record, beside timestamp, level and message.',
    {
      'x-without': 'every field',
      'x-example': ['timestamp', 'level', 'message', 'request_id', 'duration_ms', 'error'],
    },
  ),
  syslog_enabled: key(
    flag(false),
    'L',
    'Whether records are sent to syslog too (RFC 5424 over UDP).',
  ),
  syslog_host: key(host.optional(), 'L', 'Host of the syslog server; needed when it is enabled.', {
    'x-example': 'syslog.example.com',
  }),
  syslog_port: key(whole(1, 65_535, 514), 'L', 'Port of the syslog server.'),
  json_output: key(
    flag(true),
    'L',
    'Whether the message of syslog is the record in JSON, else text.',
  ),
});

/** The keys below `observability`. */
export const observabilityKeys = section('Traces, exported by OTLP over HTTP.', {
  tracing_enabled: key(flag(false), 'L', 'Whether spans of requests and scans are exported.'),
  otel_endpoint: key(
    httpUrl('http://collector:4318').optional(),
    'L',
    'Address of the OTLP/HTTP receiver, below which is `/v1/traces`; needed when tracing is enabled.',
    { 'x-example': 'http://127.0.0.1:4318' },
  ),
  sample_rate: key(
    share(0.1),
    'L',
    'Share of traces that are exported; the decision of a `traceparent` wins.',
  ),
  ca_cert_path: key(
    path.optional(),
    'L',
    'The CA of the receiver (PEM), read when the configuration is put in force.',
    { 'x-without': 'the authorities that Node trusts' },
  ),
  propagation: key(
    oneOf(['none', 'traceparent', 'tracestate'], 'traceparent'),
    'L',
    'What models and MCP servers are sent of a trace: nothing, its id, or its id and the `tracestate` of the caller.',
  ),
  gen_ai_attributes: key(
    flag(false),
    'L',
    'Whether spans of calls of models have the experimental `gen_ai.*` names.',
  ),
});

/** The keys below `monitoring`. */
export const monitoringKeys = section('Metrics, probes and alerts.', {
  prometheus: section('Metrics in the text format of Prometheus.', {
    enabled: key(flag(true), 'R', 'Whether metrics are served.'),
    host: key(host.optional(), 'R', 'Address that the listener of the metrics binds to.', {
      'x-without': '`server.host`',
      'x-example': '127.0.0.1',
    }),
    port: key(whole(0, 65_535, 9_090), 'R', 'Port of the metrics; 0 picks a free one.'),
    path: key(urlPath.default('/metrics'), 'L', 'Path of the metrics.'),
  }),
  health_check: section('The HTTP listener, and its health probe.', {
    port: key(
      whole(0, 65_535, 8_080),
      'R',
      'Port of HTTP: probes, reload and scans; 0 picks a free one.',
    ),
    path: key(urlPath.default('/health'), 'L', 'Path of the health probe.'),
    check_interval_sec: key(
      whole(1, 3_600, 10),
      'L',
      'Seconds between two looks at what the gateway depends on.',
    ),
  }),
  alerts: section('When a log record `alert` is written and `gateway_alert_active` is 1.', {
    error_rate_threshold: key(
      share(0.05),
      'L',
      'Share of failed requests in the last 60 seconds, of at least 20.',
    ),
    latency_threshold_ms: key(
      whole(1, 3_600_000, 5_000),
      'L',
      '95th percentile of the duration in the last 60 seconds, in milliseconds.',
    ),
    pii_detection_spike: key(
      whole(1, 1_000_000_000, 10),
      'L',
      'Detections of personal data within a minute.',
    ),
  }),
});
