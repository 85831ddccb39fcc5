import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { createWebhooks, MAX_WEBHOOKS } from '../../src/index.ts';
import { createSqlWebhookStorage } from '../../src/sql.ts';
import type { World } from '../world.ts';
import { createWorld, targets } from '../world.ts';

const input = { url: 'https://127.0.0.1:8443/hook', events: ['alert.created'] } as const;

async function createMany(processes: readonly World['webhooks'][], world: World): Promise<void> {
  const attempts = Array.from({ length: MAX_WEBHOOKS + 10 }, (_, index) =>
    (processes[index % processes.length] ?? world.webhooks).create(world.context, input),
  );
  const results = await Promise.allSettled(attempts);
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as { kind?: unknown }).kind] : [],
  );
  assert.deepEqual(
    refused,
    Array.from({ length: 10 }, () => 'conflict'),
  );
  const { total } = await world.webhooks.list(world.context, { limit: 1, offset: 0 });
  assert.equal(total, MAX_WEBHOOKS);
}

for (const { name } of sampleTargets(targets)) {
  test(`${name}: at most ${MAX_WEBHOOKS} concurrent creations of webhooks succeed`, async (t) => {
    const world = await createWorld(t, { target: name });
    await createMany([world.webhooks], world);
  });
}

for (const name of ['sqlite', 'postgres'] as const) {
  test(`${name}: at most ${MAX_WEBHOOKS} creations of webhooks over two connections succeed`, async (t) => {
    const world = await createWorld(t, { target: name });
    const database = world.opened.openAnother();
    assert.ok(database);
    const other = world.createProcess(database, createSqlWebhookStorage(database));
    await createMany([world.webhooks, other.webhooks], world);
  });
}

test('an organization looks up 5 names at once, none beyond its limit of webhooks, and delays no other', async (t) => {
  const world = await createWorld(t);
  let open = 0;
  let most = 0;
  let lookups = 0;
  const releases: Array<() => void> = [];
  const lookup = async () => {
    lookups += 1;
    open += 1;
    most = Math.max(most, open);
    await new Promise<void>((resolve) => releases.push(resolve));
    open -= 1;
    return ['93.184.216.34'];
  };
  const { allow, clock } = world;
  const { runtime, storage } = world;
  const webhooks = createWebhooks(runtime, { storage, targets: { allow, clock, lookup } });
  const named = { url: 'https://slow.example/hook', events: ['alert.created'] };
  const creations = Array.from({ length: 12 }, () => webhooks.create(world.context, named));
  while (lookups < 12) {
    await new Promise(setImmediate);
    releases.pop()?.();
  }
  for (const release of releases) release();
  await Promise.all(creations);
  assert.equal(most, 5);
  for (let index = 12; index < MAX_WEBHOOKS; index += 1)
    await webhooks.create(world.context, input);
  await assert.rejects(webhooks.create(world.context, named), { kind: 'conflict' });
  assert.equal(lookups, 12);
});
