import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_WEBHOOKS } from '../../src/index.ts';
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

for (const { name } of targets) {
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
