import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StageFactory } from '@probity/pipeline';
import { createTestClock, until } from '@probity/test-support';
import { PII_TEXTS } from '../texts.ts';
import type { Answer, StoredRow } from '../world.ts';
import { at, LOOPBACK, startGateway } from '../world.ts';

const KEY = { 'Idempotency-Key': 'order-1' };
const RECORDED = 'audit: {sample_rate: 1}';

const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

const resultsOf = (rows: readonly StoredRow[]) =>
  rows.filter(({ kind }) => kind === 'scan').map(({ result }) => String(result));

test('a scan repeated with its Idempotency-Key is answered once, whatever the verdict', async (t) => {
  const gateway = await startGateway(t, RECORDED);
  const bodies = [{ response: 'Hello.' }, { response: PII_TEXTS.ssn }];
  const statuses: number[] = [];
  for (const [index, body] of bodies.entries()) {
    const headers = { 'Idempotency-Key': `order-${index}` };
    const first = await gateway.scan(body, headers);
    const again = await gateway.scan(body, headers);
    assert.deepEqual(again.body, first.body);
    statuses.push(first.status, again.status);
    assert.deepEqual([isReplay(first), isReplay(again)], [false, true]);
  }
  assert.deepEqual(statuses, [200, 200, 403, 403]);
  const other = await gateway.scan({ response: 'Hello.' }, { 'Idempotency-Key': 'order-2' });
  assert.deepEqual([other.status, isReplay(other)], [200, false]);
  assert.deepEqual(resultsOf(await gateway.stored()), ['allowed', 'blocked', 'allowed']);
});

test('an Idempotency-Key of another scan, or of a wrong form, is refused as by the server', async (t) => {
  const gateway = await startGateway(t);
  await gateway.scan({ response: 'Hello.' }, KEY);
  const reused = await gateway.scan({ response: 'Goodbye.' }, KEY);
  const wrong = await gateway.scan({ response: 'Hello.' }, { 'Idempotency-Key': 'two words' });
  for (const { status, body } of [reused, wrong]) {
    assert.equal(status, 422);
    assert.equal(at(body, 'error.code'), 'VALIDATION_ERROR');
    assert.equal(at(body, 'error.details.0.field'), 'Idempotency-Key');
  }
});

test('a stored answer has the digits of its numbers', async (t) => {
  const gateway = await startGateway(t);
  const messages =
    '[{"role":"user","content":"Write to jane@example.org.","at":175928847299117063}]';
  const send = async () => {
    const headers = {
      Authorization: `Bearer ${gateway.token}`,
      'Content-Type': 'application/json',
    };
    const response = await fetch(`${gateway.url}/api/v1/governance/scan`, {
      ...{ method: 'POST', headers: { ...headers, ...KEY } },
      body: `{"messages":${messages},"redaction":"placeholder"}`,
    });
    return response.text();
  };
  const first = await send();
  assert.match(first, /"Write to \[EMAIL_1\].","at":175928847299117063\}/);
  assert.equal(await send(), first);
});

test('an Idempotency-Key belongs to its caller', async (t) => {
  const gateway = await startGateway(t);
  const Authorization = `Bearer ${gateway.addKey({ name: 'other' })}`;
  const first = await gateway.scan({ response: 'Hello.' }, KEY);
  const second = await gateway.scan({ response: 'Hello.' }, { ...KEY, Authorization });
  assert.equal(isReplay(second), false);
  assert.notEqual(at(first.body, 'data.id'), at(second.body, 'data.id'));
});

test('an answer stored for an Idempotency-Key shows neither the key nor a text', async (t) => {
  const gateway = await startGateway(t, 'audit: {enabled: false}');
  await gateway.scan({ response: PII_TEXTS.email }, KEY);
  await gateway.gateway.stop();
  const bytes = readFileSync(join(gateway.folder, 'gateway.db'), 'latin1');
  assert.match(bytes, /gateway_idempotency/);
  assert.doesNotMatch(bytes, /order-1|verdict|bob@example/);
});

test('an answer is stored for an Idempotency-Key for 24 hours', async (t) => {
  const clock = createTestClock();
  const gateway = await startGateway(t, '', { clock });
  const first = await gateway.scan({ response: 'Hello.' }, KEY);
  await clock.advance(24 * 3_600_000 - 1);
  assert.equal(isReplay(await gateway.scan({ response: 'Hello.' }, KEY)), true);
  await clock.advance(1);
  const next = await gateway.scan({ response: 'Goodbye.' }, KEY);
  assert.equal(next.status, 200);
  assert.notEqual(at(next.body, 'data.id'), at(first.body, 'data.id'));
  assert.equal(isReplay(await gateway.scan({ response: 'Goodbye.' }, KEY)), true);
});

test('a scan with the Idempotency-Key of a running one is 409, and a failed one is tried again', async (t) => {
  let go = () => {};
  let runs = 0;
  const waiting = (() => ({
    name: 'pii_scanner',
    targets: ['response'],
    run: () => {
      runs++;
      return new Promise<void>((resolve) => {
        go = resolve;
      });
    },
  })) as StageFactory as never;
  const pipeline = { stages: { pii_scanner: waiting } } as never;
  const text = `${LOOPBACK}stage_config: {pii_scanner: {timeout_ms: 60000}}`;
  const gateway = await startGateway(t, text, { pipeline });
  const first = gateway.scan({ response: 'Hello.' }, KEY);
  await until(() => runs === 1, 'the first one runs');
  const second = await gateway.scan({ response: 'Hello.' }, KEY);
  assert.equal(second.status, 409);
  assert.equal(at(second.body, 'error.code'), 'CONFLICT');
  assert.equal(second.headers.get('retry-after'), '1');
  go();
  assert.equal((await first).status, 200);
  assert.equal(isReplay(await gateway.scan({ response: 'Hello.' }, KEY)), true);
  assert.equal(runs, 1);
});

test('the gateway does not store the answer of a scan that took too long', async (t) => {
  let runs = 0;
  const hanging = (() => ({
    name: 'pii_scanner',
    targets: ['response'],
    run: () => (++runs === 1 ? new Promise<void>(() => undefined) : undefined),
  })) as StageFactory as never;
  const text =
    LOOPBACK.replace('server: {', 'server: {request_timeout_ms: 50, ') +
    'stage_config: {pii_scanner: {timeout_ms: 60000}}';
  const gateway = await startGateway(t, text, {
    pipeline: { stages: { pii_scanner: hanging } } as never,
  });
  assert.equal((await gateway.scan({ response: 'Hello.' }, KEY)).status, 504);
  const again = await gateway.scan({ response: 'Hello.' }, KEY);
  assert.deepEqual([again.status, isReplay(again)], [200, false]);
});

test('a scan with an Idempotency-Key is 503 with the reason while the database does not answer', async (t) => {
  const env = {
    PROBITY_GATEWAY_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none?sslmode=disable',
  };
  const gateway = await startGateway(t, 'audit: {enabled: false}', { env });
  const { status, body } = await gateway.scan({ response: 'Hello.' }, KEY);
  assert.equal(status, 503);
  assert.equal(at(body, 'error.message'), 'The database of the Idempotency-Keys does not answer.');
  assert.equal((await gateway.scan({ response: 'Hello.' })).status, 200);
});

test('a signed scan without an API key is answered once with its Idempotency-Key', async (t) => {
  const env = { SIGNING_KEY: 'a-key-of-sixteen-characters' };
  const gateway = await startGateway(t, 'security: {signing_key: "${SIGNING_KEY}"}', { env });
  const body = JSON.stringify({ response: 'Hello.' });
  const send = (offset: number) => {
    const stamp = String(Date.now() / 1_000 + offset);
    const hmac = createHmac('sha256', env.SIGNING_KEY).update(`${stamp}.${body}`);
    const signed = {
      'x-signature': `sha256=${hmac.digest('hex')}`,
      'x-signature-timestamp': stamp,
    };
    const headers = { 'Content-Type': 'application/json', ...KEY, ...signed };
    return gateway.call('/api/v1/governance/scan', { method: 'POST', headers, body });
  };
  const [first, again] = [await send(0), await send(1)];
  assert.deepEqual([first.status, again.status, isReplay(again)], [200, 200, true]);
  assert.deepEqual(again.body, first.body);
});
