import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Clock } from '@probity/core';
import { silentLogger, silentMetrics } from '@probity/core';
import type { DatabaseLocation, IdempotencyClaim, IdempotencyRecord } from '@probity/core/internal';
import { createTestClock, createTestDatabase, temporaryFolder } from '@probity/test-support';
import type { WorkerId } from '../../src/cluster/part.ts';
import { createGatewayDatabase } from '../../src/database/gateway-database.ts';
import { createIdempotencyPart } from '../../src/idempotency/idempotency-part.ts';
import type { ReplyStore } from '../../src/idempotency/reply-store.ts';
import { createSqlReplyStore, IDEMPOTENCY_MIGRATIONS } from '../../src/idempotency/reply-store.ts';
import { settings } from '../database/world.ts';

const DAY_MS = 24 * 3_600_000;

function memoryStore(): ReplyStore {
  const records = new Map<string, IdempotencyRecord>();
  return {
    find: async (scope) => records.get(scope) ?? null,
    async store(record) {
      if (!records.has(record.scope)) records.set(record.scope, record);
      return records.get(record.scope) as IdempotencyRecord;
    },
    forgetBefore: async () => undefined,
  };
}

function openStore(t: TestContext, location: DatabaseLocation, clock: Clock): ReplyStore {
  const database = createGatewayDatabase({
    ...{ location, settings: settings({ pool_size: 2 }), migrations: IDEMPOTENCY_MIGRATIONS },
    ...{ clock, logger: silentLogger, metrics: silentMetrics },
  });
  t.after(() => database.close());
  return createSqlReplyStore(database);
}

/** The part of a primary, as a worker calls it. */
function openPart(clock: Clock, store: ReplyStore) {
  const part = createIdempotencyPart({ store, clock, logger: silentLogger });
  const ask = async <Result>(request: object, worker: WorkerId) =>
    (await part.answer?.(request, worker)) as Result;
  return {
    begin: (worker: WorkerId = 1) => ask<IdempotencyClaim>({ scope: 's' }, worker),
    finish: (record: IdempotencyRecord | null, worker: WorkerId = 1) =>
      ask<IdempotencyRecord | null>({ scope: 's', record }, worker),
    leave: (worker: WorkerId) => part.leave?.(worker),
  };
}

function recordAt(clock: Clock, sealedReply: string): IdempotencyRecord {
  const facts = { scope: 's', fingerprint: 'f', organizationId: null };
  return { ...facts, sealedReply, createdAt: clock.now() };
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`the part keeps one answer of racing gateways over a restart (${kind})`, async (t) => {
    const location: DatabaseLocation =
      kind === 'sqlite'
        ? { kind, path: join(temporaryFolder(t).path, 'gateway.db') }
        : { kind, url: (await createTestDatabase(t)).url };
    const clock = createTestClock();
    const open = () => openPart(clock, openStore(t, location, clock));
    const [first, second] = [open(), open()];
    assert.deepEqual(await first.begin(), { kind: 'claimed' });
    assert.deepEqual(await second.begin(), { kind: 'claimed' });
    const [mine, other] = [recordAt(clock, 'v1.mine'), recordAt(clock, 'v1.other')];
    const stored = await Promise.all([first.finish(mine), second.finish(other)]);
    assert.deepEqual(stored[0], stored[1]);
    const answered = { kind: 'answered', record: stored[0] };
    for (const each of [first, second, open()]) assert.deepEqual(await each.begin(), answered);
    await clock.advance(DAY_MS);
    assert.deepEqual(await second.begin(), { kind: 'claimed' });
    const next = recordAt(clock, 'v1.next');
    assert.deepEqual(await second.finish(next), next);
    assert.deepEqual(await open().begin(), { kind: 'answered', record: next });
  });
}

test('a claim of an Idempotency-Key ends without an answer, or with its process', async () => {
  const clock = createTestClock();
  const part = openPart(clock, memoryStore());
  assert.equal((await part.begin(1)).kind, 'claimed');
  assert.equal((await part.begin(2)).kind, 'busy');
  assert.equal(await part.finish(null, 1), null);
  assert.equal((await part.begin(2)).kind, 'claimed');
  part.leave(1);
  assert.equal((await part.begin(3)).kind, 'busy');
  part.leave(2);
  assert.equal((await part.begin(3)).kind, 'claimed');
});

test('keeps the claim of another process at the last message of one that has ended', async () => {
  const clock = createTestClock();
  const part = openPart(clock, memoryStore());
  await part.begin(1);
  part.leave(1);
  assert.equal((await part.begin(2)).kind, 'claimed');
  assert.equal(await part.finish(null, 1), null);
  assert.equal((await part.begin(3)).kind, 'busy');
});

test('a process claims no Idempotency-Key when it ends during the look-up', async () => {
  const clock = createTestClock();
  let answer = () => {};
  const find = () => new Promise<null>((resolve) => (answer = () => resolve(null)));
  const store: ReplyStore = { ...memoryStore(), find };
  const part = openPart(clock, store);
  const first = part.begin(1);
  part.leave(1);
  answer();
  await first;
  const second = part.begin(2);
  answer();
  assert.equal((await second).kind, 'claimed');
});

test('a claim of an Idempotency-Key ends when its answer cannot be stored', async () => {
  const clock = createTestClock();
  const store = { ...memoryStore(), store: () => Promise.reject(new Error('down')) };
  const part = openPart(clock, store);
  await part.begin();
  await assert.rejects(part.finish(recordAt(clock, 'v1.mine')), { kind: 'unavailable' });
  assert.equal((await part.begin()).kind, 'claimed');
});
