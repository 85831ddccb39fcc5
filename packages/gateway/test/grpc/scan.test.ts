import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ServiceError } from '@grpc/grpc-js';
import { Metadata, status } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { StageFactory } from '@probity/pipeline';
import { HALLUCINATION, PII_TEXTS } from '../texts.ts';
import { startGateway } from '../world.ts';
import type { Message } from './client.ts';
import { connect } from './client.ts';

test('a scan is answered with verdict, stages, scores and the hash of the configuration', async (t) => {
  const gateway = await startGateway(t);
  const client = connect(t, gateway);
  const answer = await client.scan({ request_id: 'mine', response: 'Hello.' });
  assert.equal(answer.request_id, 'mine');
  assert.equal(answer.verdict, 'VERDICT_ALLOWED');
  assert.equal(answer.policy_id, '');
  const stages = answer.stages as { stage: string; status: string; threshold: number }[];
  assert.deepEqual(
    stages.map(({ stage }) => stage),
    [
      ...['truth_scan', 'pii_scanner', 'injection_scanner', 'toxicity_scanner'],
      ...['contamination_check', 'hallucination_detector', 'output_truth_scanner'],
    ],
  );
  assert.ok(stages.every((stage) => stage.status === 'STAGE_RAN'));
  assert.equal(stages[1]?.threshold, 0.6);
  const http = await gateway.scan({ response: 'Hello.' });
  assert.equal(answer.config_hash, http.headers.get('x-probity-config-hash'));
});

test('a blocked scan is an answer with the status OK, and says why as HTTP does', async (t) => {
  const client = connect(t, await startGateway(t));
  const answer = await client.scan({ prompt: 'Hi', response: PII_TEXTS.ssn });
  assert.equal(answer.verdict, 'VERDICT_BLOCKED');
  assert.equal(answer.code, 'PII_DETECTED');
  assert.equal(answer.policy_id, 'pol_gateway');
  assert.equal(answer.violation_reason, 'pii_scanner found ssn');
  assert.ok(((answer.scores as Message).pii_risk as number) > 0.9);
});

test('places of findings are bytes of UTF-8 and units of UTF-16 of the field as sent', async (t) => {
  const client = connect(t, await startGateway(t));
  const before = '\u{1f600} caf\u00e9 \u4e2d ';
  const answer = await client.scan({
    prompt: `${before}bob@example.com`,
    response: PII_TEXTS.ip_address,
  });
  const findings = answer.findings as Record<string, unknown>[];
  const found = findings.find(({ target }) => target === 'TARGET_PROMPT');
  assert.equal(found?.utf16_start, before.length);
  assert.equal(found?.utf16_end, before.length + 15);
  assert.equal(found?.byte_start, Buffer.byteLength(before));
  assert.equal(found?.byte_end, Buffer.byteLength(before) + 15);
  assert.equal(found?.type, 'email');
  assert.ok(!JSON.stringify(answer).includes('bob@example.com'));
});

test('a prompt alone is scanned, and context is held against the response', async (t) => {
  const client = connect(t, await startGateway(t));
  assert.equal((await client.scan({ prompt: PII_TEXTS.ssn })).verdict, 'VERDICT_BLOCKED');
  assert.equal((await client.scan(HALLUCINATION)).verdict, 'VERDICT_FLAGGED');
});

test('redact replaces personal data in place of a refusal', async (t) => {
  const client = connect(t, await startGateway(t));
  const answer = await client.scan({ response: PII_TEXTS.ssn, redact: true });
  assert.equal(answer.verdict, 'VERDICT_REDACTED');
  assert.equal(answer.redacted_response, 'Her SSN is [SSN_1].');
});

test('stages are a choice of those that are on, never more', async (t) => {
  const gateway = await startGateway(
    t,
    'scanning: {stages: [{name: pii_scanner}, {name: toxicity_scanner}, {name: injection_scanner, enabled: false}]}',
  );
  const client = connect(t, gateway);
  const answer = await client.scan({ response: PII_TEXTS.ssn, stages: ['toxicity_scanner'] });
  assert.equal(answer.verdict, 'VERDICT_ALLOWED');
  assert.deepEqual(
    (answer.stages as Message[]).map((stage) => stage.status),
    ['STAGE_SKIPPED_DISABLED', 'STAGE_RAN', 'STAGE_SKIPPED_DISABLED'],
  );
  await assert.rejects(client.scan({ response: 'x', stages: ['injection_scanner'] }), {
    code: status.INVALID_ARGUMENT,
  });
});

test('refuses stages that leave out every stage that blocks or redacts', async (t) => {
  const gateway = await startGateway(
    t,
    'scanning: {stages: [{name: pii_scanner}, {name: contamination_check}]}',
  );
  const client = connect(t, gateway);
  const request = { response: PII_TEXTS.ssn, stages: ['contamination_check'] };
  await assert.rejects(client.scan(request), {
    code: status.INVALID_ARGUMENT,
    details: /stages: must include a stage that blocks or redacts: pii_scanner/,
  });
  const both = { ...request, stages: ['contamination_check', 'pii_scanner'] };
  assert.equal((await client.scan(both)).verdict, 'VERDICT_BLOCKED');
});

for (const [title, request, field] of [
  ['no text', {}, /response: prompt or response is needed/],
  ['an unknown stage', { response: 'x', stages: ['nothing'] }, /stages\.0/],
  ['an unknown policy', { response: 'x', policy_id: 'pol_other' }, /policyIds\.0/],
  ['a long request_id', { response: 'x', request_id: 'x'.repeat(129) }, /request_id/],
  ['an address as request_id', { response: 'x', request_id: 'jane@example.org' }, /request_id/],
  ['a text as request_id', { response: 'x', request_id: 'Jane Doe' }, /request_id/],
  ['long metadata', { response: 'x', metadata: { tag: 'x'.repeat(254) } }, /metadata\.tag/],
] as const) {
  test(`a request with ${title} is INVALID_ARGUMENT and names the field`, async (t) => {
    const client = connect(t, await startGateway(t));
    await assert.rejects(client.scan(request), { code: status.INVALID_ARGUMENT, details: field });
  });
}

test('the gateway replaces an x-request-id in metadata that is not an id', async (t) => {
  const gateway = await startGateway(t);
  const client = connect(t, gateway);
  for (const [sent, expected] of [
    ['call:1', /^call:1$/],
    ['jane@example.org', /^req_/],
  ] as const) {
    const metadata = client.metadata({ 'x-request-id': sent });
    const answer = await client.scan({ response: 'Hello.' }, metadata);
    assert.match(String(answer.request_id), expected);
  }
});

test('a call without a right key is UNAUTHENTICATED, of every method', async (t) => {
  const client = connect(t, await startGateway(t));
  const nobody = new Metadata();
  const other = client.metadata({ authorization: 'Bearer pbk_wrong' });
  for (const metadata of [nobody, other]) {
    const refused = { code: status.UNAUTHENTICATED };
    await assert.rejects(client.scan({ response: 'x' }, metadata), refused);
    await assert.rejects(client.pipeline(metadata), refused);
    const stream = client.stream(metadata);
    stream.write({ scan: { response: 'x' } });
    await assert.rejects(async () => {
      for await (const _ of stream);
    }, refused);
  }
});

test('a refused request is RESOURCE_EXHAUSTED with trailers, and shares its limit with HTTP', async (t) => {
  const gateway = await startGateway(
    t,
    'rate_limiting: {per_client: {requests_per_minute: 1, burst_size: 2}, rate_limit_exceeded_status: 503}',
  );
  const client = connect(t, gateway);
  assert.equal((await gateway.scan({ response: 'Hello.' })).status, 200);
  await client.scan({ response: 'Hello.' });
  await assert.rejects(client.scan({ response: 'Hello.' }), (error: ServiceError) => {
    assert.equal(error.code, status.RESOURCE_EXHAUSTED);
    assert.ok(Number(error.metadata.get('retry-after')[0]) > 0);
    assert.equal(error.metadata.get('x-ratelimit-remaining')[0], '0');
    assert.ok(Number(error.metadata.get('x-ratelimit-reset')[0]) > 0);
    return true;
  });
});

test('server.max_payload_size is the largest message', async (t) => {
  const gateway = await startGateway(
    t,
    'server: {host: 127.0.0.1, port: 0, max_payload_size: 1000}\nmonitoring: {prometheus: {port: 0}, health_check: {port: 0}}',
  );
  const client = connect(t, gateway);
  // The field's number and length take three bytes.
  assert.equal((await client.scan({ response: 'x'.repeat(997) })).verdict, 'VERDICT_ALLOWED');
  await assert.rejects(client.scan({ response: 'x'.repeat(998) }), {
    code: status.RESOURCE_EXHAUSTED,
  });
});

const hanging: StageFactory = (() => ({
  name: 'pii_scanner',
  targets: ['response'],
  run: () => new Promise<void>(() => undefined),
})) as never;

test("a scan ends with DEADLINE_EXCEEDED at server.request_timeout_ms, or at the client's deadline", async (t) => {
  const pipeline = { stages: { pii_scanner: hanging } } as never;
  const start = (ms: number) =>
    startGateway(
      t,
      `server: {host: 127.0.0.1, port: 0, request_timeout_ms: ${ms}}\nstage_config: {pii_scanner: {timeout_ms: 60000}}\n` +
        'monitoring: {prometheus: {port: 0}, health_check: {port: 0}}',
      { pipeline },
    );
  const late = { code: status.DEADLINE_EXCEEDED };
  await assert.rejects(connect(t, await start(50)).scan({ response: 'x' }), late);
  const patient = await start(60_000);
  await assert.rejects(connect(t, patient).scan({ response: 'x' }, undefined, 100), late);
});

test('a stage that fails is FAILED_OPEN or FAILED_CLOSED, and degraded says that the scan went on', async (t) => {
  const failing = (() => ({
    name: 'pii_scanner',
    targets: ['response'],
    run() {
      throw new Error('broken');
    },
  })) as never;
  const pipeline = { stages: { pii_scanner: failing } } as never;
  for (const [open, stage, verdict] of [
    [true, 'STAGE_FAILED_OPEN', 'VERDICT_FLAGGED'],
    [false, 'STAGE_FAILED_CLOSED', 'VERDICT_BLOCKED'],
  ] as const) {
    const text = `stage_config: {pii_scanner: {fail_open: ${open}}}`;
    const client = connect(t, await startGateway(t, text, { pipeline }));
    const answer = await client.scan({ response: 'x' });
    assert.equal((answer.stages as Message[])[1]?.status, stage);
    assert.equal(answer.verdict, verdict);
    assert.equal(answer.degraded, true);
  }
});

test('what is not scanned has the status SKIPPED_ALLOWLIST at every stage', async (t) => {
  const text = 'allowlists: {whitelisted_domains: [example.com]}';
  const request = { response: PII_TEXTS.ssn, client: { source_domain: 'example.com' } };
  const other = connect(t, await startGateway(t, text));
  assert.equal((await other.scan(request)).verdict, 'VERDICT_BLOCKED');
  const gateway = await startGateway(t, text, { key: { domains: ['example.com'] } });
  const answer = await connect(t, gateway).scan(request);
  assert.equal(answer.verdict, 'VERDICT_ALLOWED');
  assert.ok(
    (answer.stages as Message[]).every((stage) => stage.status === 'STAGE_SKIPPED_ALLOWLIST'),
  );
});

test('GetPipeline shows the stages in force', async (t) => {
  const gateway = await startGateway(
    t,
    'scanning: {stages: [{name: pii_scanner, threshold: 0.25}, {name: toxicity_scanner, enabled: false}]}\n' +
      'stage_config: {pii_scanner: {fail_open: false, timeout_ms: 77}}',
  );
  const { stages, config_hash } = await connect(t, gateway).pipeline();
  assert.match(String(config_hash), /^\w{16}$/);
  assert.deepEqual((stages as Message[])[0], {
    name: 'pii_scanner',
    enabled: true,
    fail_open: false,
    threshold: 0.25,
    timeout_ms: 77,
    target: 'prompt,response,context',
  });
  assert.equal((stages as Message[])[1]?.enabled, false);
});

test('a message is signed by metadata over its bytes, once', async (t) => {
  const env = { SIGNING_KEY: 'k'.repeat(32) };
  const gateway = await startGateway(t, 'security: {signing_key: "${SIGNING_KEY}"}', { env });
  const client = connect(t, gateway);
  const file = fileURLToPath(new URL('../../../proto/scan.proto', import.meta.url));
  const method = (
    loadSync(file, { keepCase: true })['governance.gateway.v1.ScanService'] as unknown as {
      Scan: { requestSerialize(message: object): Buffer };
    }
  ).Scan;
  const signed = (request: object) => {
    const timestamp = String(Date.now() / 1_000);
    const hex = createHmac('sha256', env.SIGNING_KEY)
      .update(`${timestamp}.`)
      .update(method.requestSerialize(request))
      .digest('hex');
    const metadata = new Metadata();
    metadata.set('x-signature', `sha256=${hex}`);
    metadata.set('x-signature-timestamp', timestamp);
    return metadata;
  };
  const request = { response: 'Hello.' };
  const metadata = signed(request);
  assert.equal((await client.scan(request, metadata)).verdict, 'VERDICT_ALLOWED');
  const refused = { code: status.UNAUTHENTICATED };
  await assert.rejects(client.scan(request, metadata), refused);
  await assert.rejects(client.scan({ response: 'hello.' }, signed(request)), refused);
  await assert.rejects(client.scan(request), refused);
});
