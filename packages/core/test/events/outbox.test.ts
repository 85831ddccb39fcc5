import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import type { EventSubscriber } from '../../src/events/outbox.ts';
import { createOutboxRelay, OUTBOX_QUEUE } from '../../src/events/outbox.ts';
import { createIds } from '../../src/ids.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { Database, KernelOperations } from '../../src/storage/database.ts';
import type { ContractDatabase } from '../../src/testing/contract-target.ts';
import { connectionsOf, withDatabase } from '../../src/testing/contract-target.ts';
import { createTestTenant } from '../../src/testing/fixtures.ts';
import { countJobs, newEvent, START } from '../../src/testing/records.ts';
import { targets } from '../support.ts';

/** Writes one job per event into a queue; a second one of the same event would clash by its id. */
function subscriberOf(queue: string): EventSubscriber {
  return (event, tx) => addJob(tx, queue, `${queue}_${event.id}`);
}

function addJob(tx: KernelOperations, queue: string, id: string): Promise<void> {
  return tx.enqueueJobs([{ id, queue, tenantId: null, group: '', payload: {}, dueAt: START }]);
}

function createRelay(
  database: Database,
  subscribers: readonly EventSubscriber[],
  clock = createTestClock(),
) {
  return createOutboxRelay({
    database,
    subscribers,
    clock,
    logger: silentLogger,
    ids: createIds(),
  });
}

async function appendEvents(opened: ContractDatabase, count: number): Promise<void> {
  const { database } = opened;
  const { organizationId } = await createTestTenant(opened);
  await database.transaction(async (session) => {
    const { outbox } = database.kernel(session);
    for (let index = 0; index < count; index += 1) await outbox.append(newEvent(organizationId));
  });
}

for (const target of targets) {
  describe(`${target.name}: outbox relay`, () => {
    test('every subscriber gets every event exactly once from concurrent relays', () =>
      withDatabase(target, async (opened) => {
        await appendEvents(opened, 40);
        const seen: string[] = [];
        const counting: EventSubscriber = async (event, tx) => {
          seen.push(event.id);
          await subscriberOf('first')(event, tx);
        };
        const relays = connectionsOf(opened).flatMap((database) => [
          createRelay(database, [counting, subscriberOf('second')]),
          createRelay(database, [counting, subscriberOf('second')]),
        ]);
        await Promise.all(relays.map((relay) => relay.runOnce()));
        assert.equal(await countJobs(opened.database, 'first'), 40);
        assert.equal(await countJobs(opened.database, 'second'), 40);
        assert.equal(await countJobs(opened.database, OUTBOX_QUEUE), 0);
        assert.equal(new Set(seen).size, 40);
      }));

    test('a failing subscriber delays its event for all until the lease expires, and no other event', () =>
      withDatabase(target, async (opened) => {
        await appendEvents(opened, 3);
        let poisoned: string | undefined;
        const failing: EventSubscriber = async (event) => {
          poisoned ??= event.id;
          if (event.id === poisoned) throw new Error('refused');
        };
        const clock = createTestClock();
        const relay = createRelay(opened.database, [subscriberOf('first'), failing], clock);
        await relay.runOnce();
        assert.equal(await countJobs(opened.database, 'first'), 2);
        assert.equal(await countJobs(opened.database, OUTBOX_QUEUE), 1);
        poisoned = 'none';
        assert.equal(await relay.runOnce(), 0);
        await clock.advance(15_000);
        assert.equal(await relay.runOnce(), 1);
        assert.equal(await countJobs(opened.database, 'first'), 3);
      }));
  });
}
