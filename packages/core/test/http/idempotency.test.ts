import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProbityError } from '../../src/errors.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../src/idempotency/idempotency.ts';
import type { DatabaseTarget } from '../../src/testing/targets.ts';
import { targets } from '../support.ts';
import type { Answer, Interface, Send } from './idempotency-world.ts';
import { createIdempotencyWorld, INTERFACES } from './idempotency-world.ts';

function assertReplayed(first: Answer, repeated: Answer): void {
  assert.deepEqual([first.isReplay, repeated.isReplay], [false, true]);
  assert.deepEqual([repeated.status, repeated.text], [first.status, first.text]);
  for (const name of ['location', 'content-type']) {
    assert.equal(repeated.headers.get(name), first.headers.get(name));
  }
}

for (const target of targets) {
  for (const face of INTERFACES) {
    describe(`${target.name}, ${face.name} interface: Idempotency-Key`, () => {
      describeReplays(target, face);
      describeRefusals(target, face);
      describeScopes(target, face);
      describeErrors(target, face);
      describeDuplicates(target, face);
    });
  }
}

function describeReplays(target: DatabaseTarget, face: Interface): void {
  test('a repeated request gets the first response, byte for byte, and has no effect', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const first = await world.send({ body: { b: 1, a: 'ü' } });
    assert.equal(first.status, 201);
    assert.match(first.headers.get('location') ?? '', /^\/jobs\/job_/);
    for (let round = 0; round < 3; round += 1) {
      const repeated = await world.send({ body: { b: 1, a: 'ü' } });
      assertReplayed(first, repeated);
      assert.notEqual(repeated.headers.get('x-request-id'), first.headers.get('x-request-id'));
    }
    assert.deepEqual([world.runs(), await world.effects()], [1, 1]);
  });

  test('the response of a request without effect is replayed for its Idempotency-Key', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const path = `${face.prefix}/answers`;
    assertReplayed(await world.send({ path }), await world.send({ path }));
    assert.equal(world.runs(), 1);
  });

  test('PUT, PATCH and DELETE are idempotent like POST, each with its own key scope', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const methods = ['PUT', 'PATCH', 'DELETE'];
    const send = (method: string) => world.send({ method, path: `${face.prefix}/jobs/1` });
    for (const method of methods) assertReplayed(await send(method), await send(method));
    assert.deepEqual([world.runs(), await world.effects()], [3, 3]);
  });

  test('the response to an Idempotency-Key is stored for 24 hours', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const first = await world.send();
    await world.clock.advance(IDEMPOTENCY_WINDOW_MS - 1);
    assertReplayed(first, await world.send());
    await world.clock.advance(1);
    const second = await world.send();
    assert.equal(second.isReplay, false);
    assert.notEqual(second.text, first.text);
    assertReplayed(second, await world.send());
    assert.equal(await world.effects(), 2);
  });
}

function describeRefusals(target: DatabaseTarget, face: Interface): void {
  test('an Idempotency-Key reused with another body or query is refused and changes nothing', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const first = await world.send({ body: { a: 1 } });
    const others: Send[] = [
      { body: { a: 2 } },
      { body: { a: 1 }, path: `${face.prefix}/jobs?force=true` },
    ];
    for (const other of others) {
      const refused = await world.send(other);
      assert.deepEqual([refused.status, refused.isReplay], [face.invalidStatus, false]);
      assert.match(refused.text, /"field":"Idempotency-Key"/);
    }
    assertReplayed(first, await world.send({ body: { a: 1 } }));
    assert.deepEqual([world.runs(), await world.effects()], [1, 1]);
  });

  test('an Idempotency-Key other than 1 to 255 visible ASCII characters is refused', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    for (const key of ['', 'a b', 'k1, k2', 'clé', 'a\tb', 'x'.repeat(256)]) {
      const refused = await world.send({ key });
      assert.equal(refused.status, face.invalidStatus, key);
      assert.match(refused.text, /"field":"Idempotency-Key"/);
    }
    assert.equal(world.runs(), 0);
    for (const key of ['!', '~'.repeat(255)]) assert.equal((await world.send({ key })).status, 201);
  });

  test('GET ignores the Idempotency-Key header', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const sends: Send[] = [{ method: 'GET' }, { method: 'GET', key: 'a b' }];
    for (const send of [...sends, ...sends]) {
      const answer = await world.send(send);
      assert.deepEqual([answer.status, answer.isReplay], [201, false]);
    }
    assert.deepEqual([world.runs(), await world.effects()], [4, 4]);
  });
}

function describeScopes(target: DatabaseTarget, face: Interface): void {
  test('idempotency keys are scoped by credential and route', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const other = INTERFACES.find(({ name }) => name !== face.name)?.prefix;
    const sends: Send[] = [
      {},
      { key: 'K1' },
      { role: 'admin' },
      { path: `${face.prefix}/jobs/1/copy` },
      { path: `${face.prefix}/jobs/2/copy` },
      { path: `${other}/jobs` },
    ];
    const answers = [];
    for (const send of sends) answers.push(await world.send(send));
    assert.equal(new Set(answers.map(({ text }) => text)).size, sends.length);
    assert.equal(await world.effects(), sends.length);
    for (const [index, send] of sends.entries()) {
      assertReplayed(answers[index] as Answer, await world.send(send));
    }
  });

  test('an Idempotency-Key treats an alias or another percent-encoding as the same request', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const spellings = [
      ['/jobs', '/old-jobs', '/%6Aobs', '/jobs?'],
      ['/jobs/a%2fb/copy', '/jobs/a%2Fb/copy', '/jobs/%61%2Fb/copy', '/copies/a%2Fb'],
    ];
    for (const [path, ...others] of spellings) {
      const first = await world.send({ path: face.prefix + path });
      assert.equal(first.status, 201);
      for (const other of others) {
        assertReplayed(first, await world.send({ path: face.prefix + other }));
      }
    }
    assert.deepEqual([world.runs(), await world.effects()], [2, 2]);
  });
}

function describeErrors(target: DatabaseTarget, face: Interface): void {
  test('a 4xx response is stored for its Idempotency-Key, and the writes before it are rolled back', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    world.behave(() => {
      throw new ProbityError('conflict', 'It is taken.', { headers: { 'X-Taken': 'yes' } });
    });
    const first = await world.send();
    assert.deepEqual([first.status, first.headers.get('x-taken')], [409, 'yes']);
    world.behave(() => undefined);
    const repeated = await world.send();
    assertReplayed(first, repeated);
    assert.equal(repeated.headers.get('x-taken'), 'yes');
    assert.deepEqual([world.runs(), await world.effects()], [1, 0]);
  });

  test('a 4xx response before any write is stored for its Idempotency-Key', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const path = `${face.prefix}/refusals`;
    const first = await world.send({ path });
    assert.equal(first.status, 404);
    assertReplayed(first, await world.send({ path }));
    assert.equal(world.runs(), 1);
  });

  test('5xx and 429 responses are not stored for an Idempotency-Key, and leave no writes', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const failures: Array<[() => never, number]> = [
      [() => fail(new Error('broken')), 500],
      [() => fail(new ProbityError('unavailable')), 503],
      [() => fail(new ProbityError('rate_limited', 'The quota is spent.')), 429],
    ];
    for (const [behavior, status] of failures) {
      world.behave(behavior);
      const failed = await world.send();
      assert.deepEqual([failed.status, failed.isReplay, await world.effects()], [status, false, 0]);
    }
    world.behave(() => undefined);
    const first = await world.send();
    assert.deepEqual([first.status, first.isReplay], [201, false]);
    assertReplayed(first, await world.send());
  });

  test('a 5xx response that a handler returns is not stored for its Idempotency-Key', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    world.behave(() => 503);
    assert.equal((await world.send()).status, 503);
    world.behave(() => 201);
    const second = await world.send();
    assert.deepEqual([second.status, second.isReplay, world.runs()], [201, false, 2]);
  });
}

function describeDuplicates(target: DatabaseTarget, face: Interface): void {
  test('a request with the Idempotency-Key of a running one waits for its response, or gets Retry-After', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const gate = createGate();
    world.behave(gate.pass);
    const sending = world.send();
    await gate.reached;
    const repeating = world.send();
    if (target.name === 'postgres') {
      const busy = await repeating;
      assert.deepEqual([busy.status, busy.headers.get('retry-after')], [409, '1']);
      assert.equal(busy.isReplay, false);
    }
    gate.open();
    const first = await sending;
    if (target.name !== 'postgres') assertReplayed(first, await repeating);
    assertReplayed(first, await world.send());
    assert.deepEqual(await world.effects(), 1);
  });

  test('of many concurrent sends exactly one has an effect, and all get the same response', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const answers = await Promise.all(Array.from({ length: 25 }, () => world.send()));
    const created = answers.filter(({ status }) => status === 201);
    assert.equal(created.filter(({ isReplay }) => !isReplay).length, 1);
    assert.equal(new Set(created.map(({ text }) => text)).size, 1);
    for (const { status, headers } of answers) {
      if (status !== 201) assert.deepEqual([status, headers.get('retry-after')], [409, '1']);
    }
    assert.equal(await world.effects(), 1);
  });

  test('when the first request of an Idempotency-Key fails, a waiting repetition is executed', async (t) => {
    const world = await createIdempotencyWorld(t, target, face);
    const gate = createGate();
    world.behave(async () => {
      await gate.pass();
      world.behave(() => undefined);
      throw new Error('broken');
    });
    const sending = world.send();
    await gate.reached;
    const repeating = world.send();
    if (target.name === 'postgres') assert.equal((await repeating).status, 409);
    gate.open();
    assert.equal((await sending).status, 500);
    const second = target.name === 'postgres' ? await world.send() : await repeating;
    assert.deepEqual([second.status, second.isReplay, await world.effects()], [201, false, 1]);
  });
}

function fail(error: Error): never {
  throw error;
}

/** Holds the first who passes until it is opened. */
function createGate() {
  let arrive: () => void = () => undefined;
  let open: () => void = () => undefined;
  let isReached = false;
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = async () => {
    if (isReached) return;
    isReached = true;
    arrive();
    await opened;
  };
  return { reached, pass, open: () => open() };
}
