import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDatabase } from '@probity/core';
import { createTestClock } from '@probity/test-support';
import { createApiKeyUsage } from '../../src/credentials/credential-usage.ts';
import { createMemoryPlatformStorage } from '../../src/memory.ts';
import type { PlatformStorage } from '../../src/storage.ts';
import { testRuntime } from '../support.ts';

/** A storage that records its writes and fails on demand. */
function watchedStorage(failures = 0) {
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
            },
          }),
        ),
      ),
  };
  return { storage: watched, writes };
}

function world(failures?: number) {
  const clock = createTestClock(0);
  const { storage, writes } = watchedStorage(failures);
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
