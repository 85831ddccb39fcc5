import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConnectionError, ServerError } from '../src/index.ts';
import type { TestServer } from './world.ts';
import { answer, answerError, clientOf, startServer } from './world.ts';

/** What becomes of an attempt: the effect with or without its answer, or neither. */
type Fate = 'answered' | 'dropped before' | 'dropped after' | 'torn' | 500 | 503 | 429 | 'running';

const FAILURES: readonly Fate[] = [
  ...(['dropped before', 'dropped after', 'torn', 'running'] as const),
  ...([500, 503, 429] as const),
];

interface EffectServer extends TestServer {
  readonly effects: string[];
}

/** A server that performs an effect once for each Idempotency-Key, and for each request without one. */
async function startEffects(t: TestContext, fates: () => Fate): Promise<EffectServer> {
  const effects: string[] = [];
  const done = new Set<string>();
  const server = await startServer(t, (response, { headers, body }) => {
    const key = headers['idempotency-key'];
    const fate = fates();
    if (fate === 'dropped before') return void response.destroy();
    if (fate === 'running') {
      return answerError(response, 409, 'CONFLICT', { 'Retry-After': '1' });
    }
    if (typeof fate === 'number') return answerError(response, fate);
    if (typeof key !== 'string' || !done.has(key)) effects.push(body);
    if (typeof key === 'string') done.add(key);
    if (fate === 'dropped after') return void response.destroy();
    if (fate === 'torn') {
      response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '999' });
      response.write('{"data"');
      return void setImmediate(() => response.destroy());
    }
    answer(response, 201, { data: { id: 'whk_1' } });
  });
  return { ...server, effects };
}

test('an effect whose answer is dropped is not repeated by the retry', async (t) => {
  const fates: Fate[] = ['dropped after', 'torn', 'dropped before', 'running', 'answered'];
  const server = await startEffects(t, () => fates.shift() ?? 'answered');
  const { probity } = clientOf(server);
  const webhook = await probity.webhooks.create({
    url: 'https://hooks.acme.example',
    events: ['alert.created'],
  });
  assert.equal(webhook.id, 'whk_1');
  assert.equal(server.requests.length, 5);
  assert.equal(server.effects.length, 1);
  const keys = new Set(server.requests.map(({ headers }) => headers['idempotency-key']));
  assert.equal(keys.size, 1);
  assert.match(String([...keys][0]), /^[0-9a-f]{32}$/);
  assert.equal(new Set(server.requests.map(({ body }) => body)).size, 1);
});

test('whatever happens to the attempts, a call has at most one effect', async (t) => {
  let fates: Fate[] = [];
  const server = await startEffects(t, () => fates.shift() ?? 'answered');
  const { probity } = clientOf(server, { retries: 6 });
  const create = () => probity.webhooks.create({ url: 'https://a.example', events: [] });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...FAILURES), { maxLength: 9 }), async (list) => {
      fates = [...list];
      server.effects.length = 0;
      const result = await create().catch((error: unknown) => error);
      assert.equal(result instanceof Error, list.length > 6);
      assert.ok(server.effects.length <= 1, `${server.effects.length} effects`);
      if (!(result instanceof Error)) assert.equal(server.effects.length, 1);
    }),
    { numRuns: 60 },
  );
});

test('two calls have keys of their own, and so two effects', async (t) => {
  const server = await startEffects(t, () => 'answered');
  const { probity } = clientOf(server);
  await probity.webhooks.create({ url: 'https://a.example', events: [] });
  await probity.webhooks.create({ url: 'https://a.example', events: [] });
  assert.equal(server.effects.length, 2);
});

test('a key of the caller makes the calls of several processes one', async (t) => {
  const server = await startEffects(t, () => 'answered');
  const body = { url: 'https://a.example', events: [] };
  for (const { probity } of [clientOf(server), clientOf(server)]) {
    await probity.webhooks.create(body, { idempotencyKey: 'set-up-2026' });
  }
  assert.equal(server.effects.length, 1);
});

test('a call that takes no Idempotency-Key is sent once', async (t) => {
  const token = { token: 'inv_token', name: 'Ann', password: 'correct horse battery staple' };
  for (const fate of FAILURES) {
    const server = await startEffects(t, () => fate);
    const { probity, timing } = clientOf(server);
    const error = await probity.invitations.accept(token).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof Error);
    assert.equal(error instanceof ConnectionError, /dropped|torn/.test(String(fate)));
    assert.equal(server.requests.length, 1);
    assert.equal(server.requests[0]?.headers['idempotency-key'], undefined);
    assert.deepEqual(timing.waits, []);
  }
});

test('a call that needs no credential is sent without one', async (t) => {
  const server = await startEffects(t, () => 'answered');
  const { probity } = clientOf(server);
  await probity.auth.forgetPassword({ email: 'ann@acme.example' });
  assert.equal(server.requests[0]?.headers.authorization, undefined);
});

test('a failure of the server keeps its error after the last attempt', async (t) => {
  const server = await startEffects(t, () => 500);
  const { probity } = clientOf(server, { retries: 1 });
  await assert.rejects(
    probity.webhooks.delete('whk_1'),
    (error) => error instanceof ServerError && error.requestId === 'req_1',
  );
  assert.equal(server.requests.length, 2);
});
