import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StageFactory } from '@probity/pipeline';
import { connect } from '../grpc/client.ts';
import { INJECTION_TEXTS, PII_TEXTS } from '../texts.ts';
import { LOOPBACK, startGateway } from '../world.ts';
import { assertAbsent, below, startReceiver } from './receiver.ts';
import {
  PARENT_ID,
  PROMPT,
  TRACE_ID,
  tracedText,
  traceparent,
  tracingText,
} from './tracing-world.ts';

const ROUTE = 'POST /api/v1/governance/scan';
const STAGES = [
  ...['truth_scan', 'pii_scanner', 'injection_scanner', 'toxicity_scanner'],
  ...['contamination_check', 'hallucination_detector', 'output_truth_scanner'],
];

test('a scan over HTTP is a span of the request, one of the scan below it, and one of each stage below that', async (t) => {
  const receiver = await startReceiver(t);
  const gateway = await startGateway(t, tracedText(receiver), { env: PROMPT });
  const { status, headers } = await gateway.scan({ response: PII_TEXTS.ssn });
  assert.equal(status, 403);
  await gateway.gateway.stop();
  const [request, ...others] = receiver.named(ROUTE);
  assert.ok(request);
  assert.deepEqual(others, []);
  assert.equal(request.kind, 'server');
  assert.equal(request.parentSpanId, '');
  assert.equal(request.failed, false);
  assert.deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'url.scheme': 'http',
    'network.protocol.version': '1.1',
    'http.route': '/api/v1/governance/scan',
    'http.response.status_code': 403,
    'probity.config_hash': headers.get('x-probity-config-hash'),
    'probity.verdict': 'blocked',
  });
  assert.equal(request.resource['service.name'], 'probity-gateway');
  const [scan, ...more] = below(receiver, request);
  assert.ok(scan);
  assert.deepEqual(more, []);
  assert.equal(scan.name, 'scan');
  assert.equal(scan.attributes['probity.verdict'], 'blocked');
  assert.equal(scan.attributes['probity.violation.code'], 'PII_DETECTED');
  assert.equal(scan.attributes['probity.findings'], 1);
  const stages = below(receiver, scan);
  assert.deepEqual(
    stages.map(({ name }) => name),
    STAGES.map((name) => `stage.${name}`),
  );
  const pii = stages.find(({ name }) => name === 'stage.pii_scanner');
  assert.equal(pii?.attributes['probity.stage.outcome'], 'ok');
  assert.equal(pii?.attributes['probity.stage.score_band'], '0.75-1.00');
  assert.equal(pii?.attributes['probity.stage.findings'], 1);
  assert.equal(typeof pii?.attributes['probity.stage.duration_ms'], 'number');
  for (const span of [scan, ...stages]) assert.ok(span.startMs <= span.endMs, span.name);
});

test('no text, finding, key, user or header of a request is exported, blocked or not', async (t) => {
  const receiver = await startReceiver(t);
  const gateway = await startGateway(t, tracedText(receiver), { env: PROMPT });
  const marks = ['marker-prompt', 'marker-context', 'marker-user', 'marker-header', 'marker-query'];
  const headers = {
    traceparent: traceparent(),
    tracestate: 'vendor=marker-state',
    baggage: 'user=marker-baggage',
    'user-agent': 'marker-agent',
    'x-request-id': 'marker-request',
    'x-other': 'marker-header',
  };
  const bodies = [
    { prompt: 'marker-prompt', response: PII_TEXTS.ssn, context: ['marker-context'] },
    { prompt: 'marker-prompt', response: 'Fine.', metadata: { user_id: 'marker-user' } },
    { response: INJECTION_TEXTS.sql_injection },
    { response: 'Fine.', policyIds: ['marker-policy'] },
  ];
  for (const body of bodies) await gateway.scan(body, headers);
  const init = { method: 'POST', headers };
  await gateway.call('/api/v1/marker-path?q=marker-query', init);
  await gateway.call('/v1/chat/completions?q=marker-query', init);
  await gateway.gateway.stop();
  assert.equal(receiver.named(ROUTE).length, bodies.length);
  const secrets = [gateway.token, '536-22-8145', 'DROP TABLE', '127.0.0.1:'];
  const all = ['marker-state', 'marker-baggage', 'marker-agent', 'marker-request', 'marker-policy'];
  assertAbsent(receiver, [...marks, ...all, 'marker-path', 'marker', ...secrets]);
});

test('a traceparent is continued, and its decision wins over sample_rate', async (t) => {
  const receiver = await startReceiver(t);
  const none = tracedText(receiver).replace('sample_rate: 1', 'sample_rate: 0');
  const gateway = await startGateway(t, none, { env: PROMPT });
  await gateway.scan({ response: 'Fine.' });
  await gateway.scan({ response: 'Fine.' }, { traceparent: traceparent('00') });
  await gateway.scan({ response: 'Fine.' }, { traceparent: traceparent('01') });
  await gateway.gateway.stop();
  const requests = receiver.named(ROUTE);
  assert.deepEqual(
    requests.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
    [[TRACE_ID, PARENT_ID]],
  );
  const everything = await startReceiver(t);
  const all = await startGateway(t, tracedText(everything), { env: PROMPT });
  await all.scan({ response: 'Fine.' }, { traceparent: traceparent('00') });
  await all.scan({ response: 'Fine.' });
  await all.gateway.stop();
  assert.equal(everything.named(ROUTE).length, 1);
  assert.notEqual(everything.named(ROUTE)[0]?.traceId, TRACE_ID);
});

test('an invalid traceparent is ignored: the request begins a trace of its own', async (t) => {
  const receiver = await startReceiver(t);
  const gateway = await startGateway(t, tracedText(receiver), { env: PROMPT });
  const invalid = [
    'garbage',
    `00-${'0'.repeat(32)}-${PARENT_ID}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `ff-${TRACE_ID}-${PARENT_ID}-01`,
    `00-${TRACE_ID.toUpperCase()}-${PARENT_ID}-01`,
    `${traceparent()}-more`,
    `${traceparent()}, ${traceparent()}`,
  ];
  for (const value of invalid) {
    assert.equal((await gateway.scan({ response: 'Fine.' }, { traceparent: value })).status, 200);
  }
  await gateway.gateway.stop();
  const requests = receiver.named(ROUTE);
  assert.equal(requests.length, invalid.length);
  for (const { traceId, parentSpanId } of requests) {
    assert.notEqual(traceId, TRACE_ID);
    assert.equal(parentSpanId, '');
  }
  assert.equal(new Set(requests.map(({ traceId }) => traceId)).size, invalid.length);
});

test('sample_rate is the share of the traces that are exported', async (t) => {
  const receiver = await startReceiver(t);
  const text = tracedText(receiver).replace('sample_rate: 1', 'sample_rate: 0.5');
  const gateway = await startGateway(t, `${text}rate_limiting: {enabled: false}\n`, {
    env: PROMPT,
  });
  const scans = 100;
  for (let done = 0; done < scans; done++) await gateway.scan({ response: 'Fine.' });
  await gateway.gateway.stop();
  const share = receiver.named(ROUTE).length;
  // Six standard deviations of a binomial distribution.
  assert.ok(Math.abs(share - scans / 2) <= 6 * Math.sqrt(scans / 4), `${share} of ${scans}`);
});

test('without tracing_enabled nothing is exported, and no record names a trace', async (t) => {
  const receiver = await startReceiver(t);
  const text = tracedText(receiver).replace('tracing_enabled: true', 'tracing_enabled: false');
  const gateway = await startGateway(t, text, { env: PROMPT });
  await gateway.scan({ response: 'Fine.' }, { traceparent: traceparent() });
  await gateway.gateway.stop();
  assert.deepEqual(receiver.exports, []);
  assert.ok(!gateway.lines.some((line) => line.includes('trace_id')));
});

test('a record of the log names the trace of its request, exported or not', async (t) => {
  const receiver = await startReceiver(t);
  const gateway = await startGateway(t, tracedText(receiver), { env: PROMPT });
  await gateway.scan({ response: PII_TEXTS.email });
  await gateway.scan({ response: 'Fine.' }, { traceparent: traceparent('00') });
  await gateway.scan({ response: 'Fine.', policyIds: ['pol_other'] });
  await gateway.gateway.stop();
  const records = gateway.records().filter(({ message }) => message === 'scan');
  const [first, second, third] = records;
  const [request, failed] = receiver.named(ROUTE);
  assert.equal(records.length, 3);
  assert.deepEqual([first?.trace_id, first?.span_id], [request?.traceId, request?.spanId]);
  assert.equal(second?.trace_id, TRACE_ID);
  assert.deepEqual([third?.trace_id, third?.result], [failed?.traceId, 'error']);
});

test('logging.include_fields keeps the names of traces where it lists them', async (t) => {
  const receiver = await startReceiver(t);
  const text = `${tracedText(receiver)}logging: {include_fields: [trace_id]}\n`;
  const gateway = await startGateway(t, text, { env: PROMPT });
  await gateway.scan({ response: 'Fine.' }, { traceparent: traceparent() });
  const record = gateway.records().find(({ message }) => message === 'scan');
  assert.deepEqual(Object.keys(record ?? {}), ['level', 'timestamp', 'trace_id', 'message']);
  assert.equal(record?.trace_id, TRACE_ID);
});

/** A stage that never comes to its end. */
const hanging: StageFactory = (() => ({
  name: 'pii_scanner',
  targets: ['response'],
  run: () => new Promise(() => undefined),
})) as never;

/** A stage that fails at each text, and says what it has read. */
const failing: StageFactory = (() => ({
  name: 'pii_scanner',
  targets: ['response'],
  run() {
    throw new Error('could not read marker-text');
  },
})) as never;

test('a scan out of time fails its span and that of the request; what the caller did wrong fails neither', async (t) => {
  const receiver = await startReceiver(t);
  const listen = LOOPBACK.replace('workers: 2', 'workers: 2, request_timeout_ms: 500');
  const gateway = await startGateway(t, listen + tracingText(receiver), {
    env: PROMPT,
    pipeline: { stages: { pii_scanner: hanging } } as never,
  });
  assert.equal((await gateway.scan({ response: 'Fine.' })).status, 504);
  assert.equal((await gateway.scan({ response: '' })).status, 422);
  await gateway.gateway.stop();
  const [late, invalid] = receiver.named(ROUTE);
  assert.deepEqual([late?.failed, late?.attributes['error.type']], [true, '504']);
  assert.deepEqual(
    [invalid?.failed, invalid?.attributes['http.response.status_code']],
    [false, 422],
  );
  const [scan] = receiver.named('scan');
  assert.deepEqual([scan?.failed, scan?.attributes['error.type']], [true, 'unavailable']);
});

test('a stage that fails fails its span alone, without what it said', async (t) => {
  const receiver = await startReceiver(t);
  const gateway = await startGateway(t, tracedText(receiver), {
    env: PROMPT,
    pipeline: { stages: { pii_scanner: failing } } as never,
  });
  await gateway.scan({ response: 'marker-text' });
  await gateway.gateway.stop();
  const failures = receiver.spans.filter(({ failed }) => failed);
  assert.deepEqual(
    failures.map(({ name, attributes }) => [name, attributes['error.type']]),
    [['stage.pii_scanner', 'failed']],
  );
  assert.equal(receiver.named('scan')[0]?.attributes['probity.degraded'], true);
  assertAbsent(receiver, ['marker-text']);
});

test('requests without a valid key are traced, probes are not, and an unknown path has a span without a route', async (t) => {
  const receiver = await startReceiver(t);
  const gateway = await startGateway(t, tracedText(receiver), { env: PROMPT });
  await gateway.call('/api/v1/governance/scan', { method: 'POST' });
  await gateway.call('/api/v1/unknown');
  await gateway.call('/health');
  await gateway.call('/ready');
  await gateway.gateway.stop();
  assert.deepEqual(
    receiver.spans.map(({ name, attributes }) => [name, attributes['http.response.status_code']]),
    [
      [ROUTE, 401],
      ['GET', 404],
    ],
  );
});

test('a unary scan over gRPC, each scan of a stream and each text of it have a span', async (t) => {
  const receiver = await startReceiver(t);
  const gateway = await startGateway(t, tracedText(receiver), { env: PROMPT });
  const client = connect(t, gateway);
  const metadata = () => client.metadata({ traceparent: traceparent(), 'x-marker': 'marker' });
  await client.scan({ response: PII_TEXTS.ssn, client: { user_id: 'marker' } }, metadata());
  await assert.rejects(client.scan({}, metadata()));
  const stream = client.stream(metadata());
  const answers: unknown[] = [];
  stream.on('data', (answer) => answers.push(answer));
  stream.write({ scan: { request_id: 'marker-1', response: 'Fine.' } });
  stream.write({ scan: { request_id: 'marker-2', response: PII_TEXTS.email } });
  stream.write({ open: { request_id: 'marker-3' } });
  stream.write({ chunk: { request_id: 'marker-3', sequence: 1, text: 'Fine.' } });
  stream.write({ close: { request_id: 'marker-3' } });
  stream.write({ open: { request_id: 'marker-4' } });
  const over = new Promise((resolve) => stream.on('end', resolve));
  stream.end();
  await over;
  await gateway.gateway.stop();
  const service = 'governance.gateway.v1.ScanService';
  const statuses = (method: string) =>
    receiver.named(`${service}/${method}`).map(({ attributes }) => attributes);
  assert.deepEqual(
    statuses('Scan').map((each) => each['rpc.response.status_code']),
    ['OK', 'INVALID_ARGUMENT'],
  );
  assert.deepEqual(
    statuses('ScanStream')
      .map((each) => each['rpc.response.status_code'])
      .sort(),
    ['CANCELLED', 'OK', 'OK', 'OK'],
  );
  const [unary] = receiver.named(`${service}/Scan`);
  assert.ok(unary);
  assert.equal(unary.kind, 'server');
  assert.equal(unary.attributes['probity.verdict'], 'blocked');
  for (const { traceId, parentSpanId, name } of receiver.spans) {
    assert.equal(traceId, TRACE_ID);
    if (name.startsWith(service)) assert.equal(parentSpanId, PARENT_ID);
  }
  // Two unary calls, of which one was never scanned, two scans of the stream and one text.
  assert.equal(receiver.named('scan').length, 4);
  assertAbsent(receiver, ['marker', '536-22-8145', 'bob@example.com', gateway.token]);
});

test('a look-up in the cache has a span below the scan, which says whether it found a result', async (t) => {
  const receiver = await startReceiver(t);
  const text = `${tracedText(receiver)}caching: {enabled: true}\n`;
  const gateway = await startGateway(t, text, { env: PROMPT });
  for (let round = 0; round < 2; round++) await gateway.scan({ response: 'The same text.' });
  await gateway.gateway.stop();
  const lookUps = receiver.named('cache.get');
  assert.deepEqual(
    lookUps.map(({ attributes }) => [
      attributes['probity.cache.type'],
      attributes['probity.cache.hit'],
    ]),
    [
      ['scan', false],
      ['scan', true],
    ],
  );
  const scans = new Set(receiver.named('scan').map(({ spanId }) => spanId));
  for (const { parentSpanId } of lookUps) assert.ok(scans.has(parentSpanId));
});
