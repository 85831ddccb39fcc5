import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDatabase, OUTSIDE_REQUEST } from '@probity/core';
import { createTestClock } from '@probity/test-support';
import { createApiKeyUsage } from '../../src/credentials/credential-usage.ts';
import { createMemoryPlatformStorage } from '../../src/memory.ts';
import type { PlatformStorage } from '../../src/storage.ts';
import { newApiKey, newMember, newOrganization } from '../../src/testing/records.ts';
import { targets, testRuntime } from '../support.ts';

/** A storage that records its writes, fails on demand, and skips keys. */
function watchedStorage(failures = 0, skipped: readonly string[] = []) {
  const writes: Array<Record<string, number>> = [];
  const storage = createMemoryPlatformStorage(createMemoryDatabase());
  const watched: PlatformStorage = {
    ...storage,
    transaction: (scope, work) =>
      storage.transaction(scope, (tx) =>
        work(
          Object.assign(Object.create(tx) as typeof tx, {
            async touchApiKeys(lastUsed: ReadonlyMap<string, Date>) {
              failures -= 1;
              if (failures >= 0) throw new Error('down');
              const entries = [...lastUsed].map(([id, at]) => [id, at.getTime()] as const);
              writes.push(Object.fromEntries(entries));
              return skipped.filter((id) => lastUsed.has(id));
            },
          }),
        ),
      ),
  };
  return { storage: watched, writes };
}

function world(failures?: number, skipped?: readonly string[]) {
  const clock = createTestClock(0);
  const { storage, writes } = watchedStorage(failures, skipped);
  const runtime = testRuntime({ database: createMemoryDatabase(), clock });
  return { clock, writes, usage: createApiKeyUsage(runtime, { storage }) };
}

test('many uses of keys within an interval are one write, with the last time of each key', async () => {
  const { clock, writes, usage } = world();
  await usage.start();
  await usage.start();
  usage.record('key_1');
  await clock.advance(500);
  usage.record('key_1');
  usage.record('key_2');
  await clock.advance(1_499);
  assert.deepEqual(writes, []);
  await clock.advance(1);
  assert.deepEqual(writes, [{ key_1: 500, key_2: 500 }]);
  await usage.stop();
});

test('an interval without uses of keys writes nothing, and later uses are written', async () => {
  const { clock, writes, usage } = world();
  await usage.start();
  await clock.advance(60_000);
  assert.deepEqual(writes, []);
  usage.record('key_1');
  await clock.advance(5_000);
  assert.deepEqual(writes, [{ key_1: 60_000 }]);
  await usage.stop();
  assert.equal(clock.pendingTimers, 0);
});

test('stopping the usage writer writes the pending uses', async () => {
  const { writes, usage } = world();
  await usage.start();
  usage.record('key_1');
  await usage.stop();
  assert.deepEqual(writes, [{ key_1: 0 }]);
});

test('a failed write of key uses is retried without losing newer ones', async () => {
  const { clock, writes, usage } = world(1);
  await usage.start();
  usage.record('key_1');
  usage.record('key_2');
  await clock.advance(2_000);
  usage.record('key_1');
  await clock.advance(2_000);
  assert.deepEqual(writes, [{ key_1: 2_000, key_2: 0 }]);
  await usage.stop();
});

test('the use of a key that was skipped is written once more, and its next use again', async () => {
  const { clock, writes, usage } = world(0, ['key_1']);
  await usage.start();
  usage.record('key_1');
  usage.record('key_2');
  await clock.advance(8_000);
  assert.deepEqual(writes, [{ key_1: 0, key_2: 0 }, { key_1: 0 }]);
  usage.record('key_1');
  await clock.advance(2_000);
  assert.deepEqual(writes.at(-1), { key_1: 8_000 });
  await usage.stop();
});

test('a key that a request or a revocation holds delays neither the times of use of others nor their requests', async (t) => {
  const postgres = targets.find(({ name }) => name === 'postgres');
  assert.ok(postgres);
  const opened = await postgres.open();
  t.after(opened.dispose);
  const { storage, database } = opened;
  const clock = createTestClock();
  const usage = createApiKeyUsage(testRuntime({ database, clock }), { storage });
  const organization = newOrganization();
  const owner = newMember(organization.id);
  const [used, held, revoked] = ['key_a', 'key_b', 'key_c'].map((id) => newApiKey(owner, { id }));
  assert.ok(used && held && revoked);
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertOrganization(organization);
    await tx.insertMember(owner);
    for (const key of [used, held, revoked]) await tx.insertApiKey(key);
  });
  const timesOfUse = async () => {
    const { items } = await storage.listApiKeys(organization.id, { limit: 9, offset: 0 });
    return Object.fromEntries(items.map(({ id, lastUsed }) => [id, lastUsed]));
  };
  const now = clock.now();
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.identifyApiKeyById(held.id, true);
    await storage
      .transaction(OUTSIDE_REQUEST, async (other) => {
        await other.revokeApiKey(organization.id, revoked.id, now);
        for (const { id } of [used, held, revoked]) usage.record(id);
        await usage.flush();
        // As a request with this key does.
        await storage.transaction(OUTSIDE_REQUEST, (third) =>
          third.identifyApiKeyById(used.id, true),
        );
        assert.deepEqual(await timesOfUse(), { key_a: now, key_b: now, key_c: null });
        throw UNDONE;
      })
      .catch((error) => assert.equal(error, UNDONE));
    await usage.flush();
    assert.deepEqual(await timesOfUse(), { key_a: now, key_b: now, key_c: now });
  });
});

const UNDONE = new Error('undone');
