/** The reference configuration of the specification: every key of its table, with the value that it shows. */
export const REFERENCE = `
server:
  host: 0.0.0.0
  port: 50052
  workers: 4
  request_timeout_ms: 30000
  max_payload_size: 10485760
database: {pool_size: 20, max_overflow: 40, pool_timeout_sec: 30, query_timeout_sec: 10, ssl_mode: require}
logging:
  level: INFO
  format: json
  file: /var/log/gateway/gateway.log
  max_size_mb: 100
  max_backups: 10
  max_age_days: 30
  include_fields: [timestamp, level, message, request_id, duration_ms, error]
  syslog_enabled: true
  syslog_host: syslog.example.com
  syslog_port: 514
  json_output: true
observability:
  tracing_enabled: true
  otel_endpoint: http://127.0.0.1:4317
  sample_rate: 0.1
scanning:
  stages:
    - {name: truth_scan, enabled: true}
    - {name: pii_scanner, enabled: true}
    - {name: injection_scanner, enabled: true}
    - {name: toxicity_scanner, enabled: true}
    - {name: contamination_check, enabled: true}
    - {name: hallucination_detector, enabled: true}
    - {name: output_truth_scanner, enabled: true}
  thresholds: {pii_risk: 0.6, toxicity_score: 0.7, hallucination_score: 0.8, injection_score: 0.5}
stage_config:
  pii_scanner:
    patterns: {ssn: true, credit_card: true, phone_number: true, email: true, passport: true, ip_address: true, bank_account: true}
    fail_open: true
  injection_scanner:
    enabled: true
    types: {prompt_injection: true, sql_injection: true, command_injection: true, xpath_injection: true}
    fail_open: true
  toxicity_scanner:
    confidence_threshold: 0.6
    categories: {hate_speech: true, harassment: true, self_harm: true, violence: true, sexual_content: true}
    fail_open: true
  truth_scan: {similarity_threshold: 0.7, embedding_model: text-embedding-3-small}
allowlists:
  whitelisted_domains: [internal.example.com]
  pii_exceptions: {patterns: [test@example.com]}
  exempt_users: [admin@example.com]
  exempt_ips: [10.0.0.0/8]
models:
  providers:
    openai:
      enabled: true
      api_key: \${API_KEY}
      models:
        gpt-4: {enabled: true, max_requests_per_minute: 500}
        gpt-3.5-turbo: {enabled: false, max_requests_per_minute: 1000}
    anthropic:
      enabled: true
      api_key: \${API_KEY}
      models:
        claude-3-opus: {enabled: true, max_requests_per_minute: 300}
    azure:
      enabled: true
      api_key: \${API_KEY}
      deployment: my-deployment
      api_version: 2024-02-01
      models:
        gpt-4o: {enabled: true, max_requests_per_minute: 300}
caching: {enabled: true, host: 127.0.0.1, port: 6379, ttl_seconds: 3600, key_prefix: 'gateway:', max_items: 100000, password: "\${PASSWORD}", ssl: false}
embeddings: {provider: sqlite-vec, dimension: 1536, model: text-embedding-3-small, batch_size: 32, fail_open: true}
compliance: {gdpr_mode: false, hipaa_mode: false, pii_retention_days: 30, audit_logging: true, hash_pii_in_logs: true}
monitoring:
  prometheus: {enabled: true, port: 9090, path: /metrics}
  health_check: {port: 8080, path: /health, check_interval_sec: 10}
  alerts: {error_rate_threshold: 0.05, latency_threshold_ms: 5000, pii_detection_spike: 10}
audit: {enabled: true, table_name: governance_audit_log, retention_days: 90, sample_rate: 0.1}
rate_limiting:
  enabled: true
  requests_per_second: 1000
  per_client: {requests_per_minute: 10000, burst_size: 100}
  rate_limit_exceeded_status: 429
security:
  mtls_enabled: false
  client_cert_path: /etc/gateway/client.crt
  client_key_path: /etc/gateway/client.key
  ca_cert_path: /etc/gateway/ca.crt
  request_signing: true
  signing_key: \${SIGNING_KEY}
`;

/** Switches, and the value that the table shows. */
export const BOOLEANS: readonly (readonly [path: string, shown?: boolean])[] = [
  ['logging.syslog_enabled'],
  ['logging.json_output'],
  ['observability.tracing_enabled'],
  ...['ssn', 'credit_card', 'phone_number', 'email', 'passport', 'ip_address', 'bank_account'].map(
    (type) => [`stage_config.pii_scanner.patterns.${type}`] as const,
  ),
  ['stage_config.pii_scanner.fail_open', true],
  ['stage_config.injection_scanner.fail_open', true],
  ['stage_config.toxicity_scanner.fail_open', true],
  ['stage_config.injection_scanner.enabled', true],
  ...['prompt_injection', 'sql_injection', 'command_injection', 'xpath_injection'].map(
    (type) => [`stage_config.injection_scanner.types.${type}`] as const,
  ),
  ...['hate_speech', 'harassment', 'self_harm', 'violence', 'sexual_content'].map(
    (type) => [`stage_config.toxicity_scanner.categories.${type}`] as const,
  ),
  ['caching.enabled'],
  ['caching.ssl'],
  ['embeddings.fail_open', true],
  ['compliance.gdpr_mode', false],
  ['compliance.hipaa_mode', false],
  ['compliance.audit_logging', true],
  ['compliance.hash_pii_in_logs', true],
  ['monitoring.prometheus.enabled', true],
  ['audit.enabled'],
  ['rate_limiting.enabled'],
  ['security.mtls_enabled', false],
  ['security.request_signing'],
];

/** Numbers, the value that the table shows, and their limits. */
export const NUMBERS: readonly (readonly [
  path: string,
  type: 'integer' | 'number',
  shown: number | undefined,
  least: number,
  most?: number,
])[] = [
  ['server.port', 'integer', 50_052, 0, 65_535],
  ['server.workers', 'integer', undefined, 1],
  ['server.request_timeout_ms', 'integer', 30_000, 1],
  ['server.max_payload_size', 'integer', 10_485_760, 1],
  ['database.pool_size', 'integer', 20, 1],
  ['database.max_overflow', 'integer', 40, 0],
  ['database.pool_timeout_sec', 'integer', 30, 0],
  ['database.query_timeout_sec', 'integer', 10, 1],
  ['logging.max_size_mb', 'integer', 100, 1],
  ['logging.max_backups', 'integer', 10, 0],
  ['logging.max_age_days', 'integer', 30, 0],
  ['logging.syslog_port', 'integer', 514, 1, 65_535],
  ['observability.sample_rate', 'number', 0.1, 0, 1],
  ['stage_config.toxicity_scanner.confidence_threshold', 'number', 0.6, 0, 1],
  ['stage_config.truth_scan.similarity_threshold', 'number', 0.7, 0, 1],
  ['scanning.thresholds.pii_risk', 'number', 0.6, 0, 1],
  ['scanning.thresholds.toxicity_score', 'number', 0.7, 0, 1],
  ['scanning.thresholds.hallucination_score', 'number', 0.8, 0, 1],
  ['scanning.thresholds.injection_score', 'number', 0.5, 0, 1],
  ['caching.port', 'integer', 6_379, 1, 65_535],
  ['caching.ttl_seconds', 'integer', 3_600, 1],
  ['caching.max_items', 'integer', 100_000, 1],
  ['embeddings.dimension', 'integer', 1_536, 1],
  ['embeddings.batch_size', 'integer', 32, 1],
  ['compliance.pii_retention_days', 'integer', 30, 0],
  ['monitoring.prometheus.port', 'integer', 9_090, 0, 65_535],
  ['monitoring.health_check.port', 'integer', 8_080, 0, 65_535],
  ['monitoring.health_check.check_interval_sec', 'integer', 10, 1],
  ['monitoring.alerts.error_rate_threshold', 'number', 0.05, 0, 1],
  ['monitoring.alerts.latency_threshold_ms', 'integer', 5_000, 1],
  ['monitoring.alerts.pii_detection_spike', 'integer', 10, 1],
  ['audit.retention_days', 'integer', 90, 1],
  ['audit.sample_rate', 'number', 0.1, 0, 1],
  ['rate_limiting.requests_per_second', 'integer', 1_000, 1],
  ['rate_limiting.per_client.requests_per_minute', 'integer', 10_000, 1],
  ['rate_limiting.per_client.burst_size', 'integer', 100, 1],
  ['rate_limiting.rate_limit_exceeded_status', 'integer', 429, 400, 599],
];

/** Words of a list, and the default. */
export const ENUMS: readonly (readonly [
  path: string,
  values: readonly [string, ...string[]],
  shown: string,
])[] = [
  ['database.ssl_mode', ['require', 'prefer', 'allow', 'disable'], 'require'],
  ['logging.level', ['DEBUG', 'INFO', 'WARN', 'ERROR'], 'INFO'],
  ['logging.format', ['json', 'text'], 'json'],
  ['embeddings.provider', ['sqlite-vec', 'pgvector', 'redis'], 'sqlite-vec'],
];

/** Texts, values that each takes, and the default. */
export const TEXTS: readonly (readonly [
  path: string,
  accepted: readonly string[],
  shown?: string,
])[] = [
  ['server.host', ['0.0.0.0', '127.0.0.1', '::', 'localhost', 'gateway.internal'], '0.0.0.0'],
  ['logging.file', ['/var/log/gateway.log']],
  ['logging.syslog_host', ['localhost', '10.0.0.5']],
  ['observability.otel_endpoint', ['http://localhost:4317', 'https://otel.example.com/v1']],
  ['stage_config.truth_scan.embedding_model', ['text-embedding-3-small', 'BAAI/bge-small-en']],
  ['caching.host', ['localhost', 'cache.internal', '10.0.0.5']],
  ['caching.key_prefix', ['gateway:', ''], ''],
  ['caching.password', ['secret']],
  ['embeddings.model', ['text-embedding-ada-002'], 'local-hash-1536'],
  ['monitoring.prometheus.path', ['/metrics', '/internal/metrics'], '/metrics'],
  ['monitoring.health_check.path', ['/health', '/healthz'], '/health'],
  ['audit.table_name', ['gateway_audit', 'AuditLog'], 'gateway_audit'],
  ['security.client_cert_path', ['/etc/gateway/client.crt']],
  ['security.client_key_path', ['/etc/gateway/client.key']],
  ['security.ca_cert_path', ['/etc/gateway/ca.crt']],
  ['security.signing_key', ['a key of 16 letters']],
];

/** Lists of texts. */
export const LISTS: readonly (readonly [path: string, accepted: readonly string[]])[] = [
  [
    'logging.include_fields',
    ['timestamp', 'level', 'message', 'request_id', 'duration_ms', 'error'],
  ],
  ['allowlists.whitelisted_domains', ['internal.example.com', '*.example.org']],
  ['allowlists.pii_exceptions.patterns', ['test@example.com', '555-\\d{4}']],
  ['allowlists.exempt_users', ['admin@example.com', 'service-1']],
  ['allowlists.exempt_ips', ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7/32']],
];
