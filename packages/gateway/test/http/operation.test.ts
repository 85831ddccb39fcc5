import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at, startGateway } from '../world.ts';

const TWELVE = [
  ['gateway_requests_total', 'counter'],
  ['gateway_request_duration_seconds', 'histogram'],
  ['gateway_pii_detections_total', 'counter'],
  ['gateway_hallucinations_detected', 'counter'],
  ['gateway_injection_attempts_total', 'counter'],
  ['gateway_toxicity_detections_total', 'counter'],
  ['gateway_database_queries_total', 'counter'],
  ['gateway_database_query_duration_seconds', 'histogram'],
  ['gateway_database_pool_size', 'gauge'],
  ['gateway_cache_hits_total', 'counter'],
  ['gateway_cache_misses_total', 'counter'],
  ['gateway_cache_hit_ratio', 'gauge'],
] as const;

test('the metrics of the specification are there from the start, by their names and kinds', async (t) => {
  const gateway = await startGateway(t);
  const text = await gateway.metrics();
  for (const [name, kind] of TWELVE)
    assert.match(text, new RegExp(`^# TYPE ${name} ${kind}$`, 'm'));
  for (const series of [
    'gateway_requests_total{method="scan",status="success"} 0',
    'gateway_requests_total{method="scan",status="blocked"} 0',
    'gateway_requests_total{method="scan",status="error"} 0',
    'gateway_pii_detections_total{type="ssn"} 0',
    'gateway_injection_attempts_total{type="sql_injection"} 0',
    'gateway_toxicity_detections_total{category="harassment"} 0',
    'gateway_hallucinations_detected 0',
  ]) {
    assert.ok(text.includes(`${series}\n`), series);
  }
  await gateway.scan({ response: 'Hello.' });
  assert.match(
    await gateway.metrics(),
    /gateway_request_duration_seconds_bucket\{le="0\.01",method="scan"\}/,
  );
});

test('metrics are text of version 0.0.4, at their path alone', async (t) => {
  const gateway = await startGateway(
    t,
    'server: {host: 127.0.0.1, port: 0}\nmonitoring: {prometheus: {port: 0, path: /internal/metrics}, health_check: {port: 0}}',
  );
  const found = await fetch(`${gateway.metricsUrl}/internal/metrics`);
  assert.match(found.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.equal((await fetch(`${gateway.metricsUrl}/metrics`)).status, 404);
});

test('monitoring.prometheus.host binds the metrics alone to another address', async (t) => {
  const gateway = await startGateway(
    t,
    'server: {host: 127.0.0.1, port: 0}\nmonitoring: {prometheus: {host: 127.0.0.2, port: 0}, health_check: {port: 0}}',
  );
  assert.match(gateway.metricsUrl ?? '', /^http:\/\/127\.0\.0\.2:/);
  assert.match(gateway.url, /^http:\/\/127\.0\.0\.1:/);
  const { port } = new URL(gateway.metricsUrl ?? '');
  await assert.rejects(fetch(`http://127.0.0.1:${port}/metrics`));
  assert.equal((await fetch(`${gateway.metricsUrl}/metrics`)).status, 200);
});

test('monitoring.prometheus.enabled false opens no metrics listener', async (t) => {
  const gateway = await startGateway(
    t,
    'server: {host: 127.0.0.1, port: 0}\nmonitoring: {prometheus: {enabled: false}, health_check: {port: 0}}',
  );
  assert.equal(gateway.metricsUrl, null);
});

test('the probes need no key and have the form of the specification', async (t) => {
  const gateway = await startGateway(t);
  const health = await gateway.call('/health');
  assert.equal(health.status, 200);
  assert.equal(at(health.body, 'status'), 'ok');
  assert.ok(!Number.isNaN(Date.parse(String(at(health.body, 'timestamp')))));
  assert.deepEqual(Object.keys(at(health.body, 'checks') as object), [
    'database',
    'embeddings',
    'cache-store',
    'keys',
    'alerts',
  ]);
  const ready = await gateway.call('/ready');
  assert.equal(ready.status, 200);
  assert.equal(at(ready.body, 'ready'), true);
  assert.deepEqual(Object.keys(at(ready.body, 'checks') as object), ['database', 'cache']);
});

test('monitoring.health_check.path is the path of the health probe', async (t) => {
  const gateway = await startGateway(
    t,
    'server: {host: 127.0.0.1, port: 0}\nmonitoring: {prometheus: {port: 0}, health_check: {port: 0, path: /healthz}}',
  );
  assert.equal((await gateway.call('/healthz')).status, 200);
  assert.equal((await gateway.call('/health')).status, 404);
});
