import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { exampleFile } from '../../src/config/example.ts';
import { configurationJsonSchema, describedKeys } from '../../src/config/json-schema.ts';
import { hashConfig } from '../../src/config/read-config.ts';
import { read } from './read.ts';

/** The keys of the specification with the values that it shows. */
const SHOWN: Readonly<Record<string, unknown>> = {
  'server.host': '0.0.0.0',
  'server.port': 50_052,
  'server.workers': Math.min(4, availableParallelism()),
  'server.request_timeout_ms': 30_000,
  'server.max_payload_size': 10_485_760,
  'database.pool_size': 20,
  'database.max_overflow': 40,
  'database.pool_timeout_sec': 30,
  'database.query_timeout_sec': 10,
  'database.ssl_mode': 'require',
  'logging.level': 'INFO',
  'logging.format': 'json',
  'logging.max_size_mb': 100,
  'logging.max_backups': 10,
  'logging.max_age_days': 30,
  'logging.syslog_port': 514,
  'observability.sample_rate': 0.1,
  'stage_config.pii_scanner.fail_open': true,
  'stage_config.injection_scanner.fail_open': true,
  'stage_config.toxicity_scanner.fail_open': true,
  'stage_config.injection_scanner.enabled': true,
  'stage_config.toxicity_scanner.confidence_threshold': 0.6,
  'stage_config.truth_scan.similarity_threshold': 0.7,
  'scanning.thresholds.pii_risk': 0.6,
  'scanning.thresholds.toxicity_score': 0.7,
  'scanning.thresholds.hallucination_score': 0.8,
  'scanning.thresholds.injection_score': 0.5,
  'caching.port': 6_379,
  'caching.ttl_seconds': 3_600,
  'caching.max_items': 100_000,
  'embeddings.dimension': 1_536,
  'embeddings.batch_size': 32,
  'embeddings.fail_open': true,
  'compliance.gdpr_mode': false,
  'compliance.hipaa_mode': false,
  'compliance.pii_retention_days': 30,
  'compliance.audit_logging': true,
  'compliance.hash_pii_in_logs': true,
  'monitoring.prometheus.enabled': true,
  'monitoring.prometheus.port': 9_090,
  'monitoring.prometheus.path': '/metrics',
  'monitoring.health_check.port': 8_080,
  'monitoring.health_check.path': '/health',
  'monitoring.health_check.check_interval_sec': 10,
  'monitoring.alerts.error_rate_threshold': 0.05,
  'monitoring.alerts.latency_threshold_ms': 5_000,
  'monitoring.alerts.pii_detection_spike': 10,
  'audit.retention_days': 90,
  'audit.sample_rate': 0.1,
  'rate_limiting.requests_per_second': 1_000,
  'rate_limiting.per_client.requests_per_minute': 10_000,
  'rate_limiting.per_client.burst_size': 100,
  'rate_limiting.rate_limit_exceeded_status': 429,
  'security.mtls_enabled': false,
};

/** The keys of the specification for which it shows no value. */
const NAMED = [
  ...['logging.file', 'logging.include_fields', 'logging.syslog_enabled', 'logging.syslog_host'],
  ...['logging.json_output', 'observability.tracing_enabled', 'observability.otel_endpoint'],
  ...['scanning.stages[].name', 'scanning.stages[].enabled', 'allowlists.whitelisted_domains'],
  ...['allowlists.pii_exceptions.patterns', 'allowlists.exempt_users', 'allowlists.exempt_ips'],
  ...['models.providers.<id>.enabled', 'models.providers.<id>.api_key'],
  ...['models.providers.<id>.models.<id>.enabled', 'models.providers.<id>.deployment'],
  ...['models.providers.<id>.models.<id>.max_requests_per_minute'],
  ...['models.providers.<id>.api_version', 'caching.enabled', 'caching.host', 'caching.key_prefix'],
  ...['caching.password', 'caching.ssl', 'embeddings.provider', 'embeddings.model'],
  ...['stage_config.truth_scan.embedding_model', 'audit.enabled', 'audit.table_name'],
  ...['rate_limiting.enabled', 'security.client_cert_path', 'security.client_key_path'],
  ...['security.ca_cert_path', 'security.request_signing', 'security.signing_key'],
  ...['ssn', 'credit_card', 'phone_number', 'email', 'passport', 'ip_address', 'bank_account'].map(
    (type) => `stage_config.pii_scanner.patterns.${type}`,
  ),
  ...['prompt_injection', 'sql_injection', 'command_injection', 'xpath_injection'].map(
    (type) => `stage_config.injection_scanner.types.${type}`,
  ),
  ...['hate_speech', 'harassment', 'self_harm', 'violence', 'sexual_content'].map(
    (type) => `stage_config.toxicity_scanner.categories.${type}`,
  ),
  ...['pii_detection', 'pii_threshold'],
];

test('every key of the specification is known', () => {
  const known = describedKeys().map(({ path }) => path);
  const missing = [...Object.keys(SHOWN), ...NAMED].filter((path) => !known.includes(path));
  assert.deepEqual(missing, []);
});

test('an empty configuration has the values that the specification shows', async () => {
  const { config, issues } = await read('');
  assert.deepEqual(issues, []);
  for (const [path, value] of Object.entries(SHOWN)) {
    const found = path
      .split('.')
      .reduce<unknown>((held, name) => (held as Record<string, unknown>)[name], config);
    assert.deepEqual(found, value, path);
  }
  assert.deepEqual(
    config?.scanning.stages.map(({ name, enabled }) => [name, enabled]),
    [
      ['truth_scan', true],
      ['pii_scanner', true],
      ['injection_scanner', true],
      ['toxicity_scanner', true],
      ['contamination_check', true],
      ['hallucination_detector', true],
      ['output_truth_scanner', true],
    ],
  );
});

test('empty sections have their defaults', async () => {
  const { config } = await read('server:\nscanning:\n  stages:\nstage_config:\n  pii_scanner:\n');
  assert.deepEqual(config, (await read('')).config);
});

test('the example file is valid and equals a configuration without keys', async () => {
  const { config, issues } = await read(exampleFile());
  assert.deepEqual(issues, []);
  assert.deepEqual(config, (await read('')).config);
});

test('every key stands in the example file', () => {
  const text = exampleFile();
  for (const { path } of describedKeys()) {
    if (path.startsWith('pii_')) continue;
    if (/^scanning\.stages\[\]\.threshold$/.test(path)) continue;
    assert.match(text, new RegExp(`^[ #]*(?:- )?${path.split('.').at(-1)}:`, 'm'), path);
  }
});

test('the committed example and schema are those that the keys make', () => {
  const stored = (name: string) =>
    readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  assert.equal(stored('gateway.example.yaml'), exampleFile());
  assert.deepEqual(JSON.parse(stored('gateway.schema.json')), configurationJsonSchema());
});

test('the JSON Schema accepts the example file and refuses what the gateway refuses', () => {
  const validate = new Ajv2020({ strict: false }).compile(configurationJsonSchema());
  assert.equal(validate(parse(exampleFile())), true);
  for (const wrong of ['server: {prot: 1}', 'server: {port: 70000}', 'logging: {level: info}']) {
    assert.equal(validate(parse(wrong)), false, wrong);
  }
});

test('the hash of a configuration depends on its values alone, and not on secrets', async () => {
  const hashOf = async (text: string, env = {}) => {
    const { config } = await read(text, env);
    assert.ok(config);
    return hashConfig(config);
  };
  const plain = await hashOf('server: {port: 1}\nlogging: {level: WARN}\n');
  assert.equal(await hashOf('# moved\nlogging:\n  level: WARN\nserver:\n  port: 1\n'), plain);
  assert.notEqual(await hashOf('server: {port: 2}\nlogging: {level: WARN}\n'), plain);
  const signed = 'security: {signing_key: "${KEY}"}';
  const [first, second] = await Promise.all(
    ['a'.repeat(20), 'b'.repeat(20)].map((KEY) => hashOf(signed, { KEY })),
  );
  assert.equal(first, second);
  assert.notEqual(first, await hashOf(''));
});
