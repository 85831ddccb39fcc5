import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import type { EventSubscriber } from '../../src/events/outbox.ts';
import { createOutboxRelay, OUTBOX_QUEUE, subscriberQueue } from '../../src/events/outbox.ts';
import { createIds } from '../../src/ids.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { Database, KernelOperations } from '../../src/storage/database.ts';
import type { ContractDatabase } from '../../src/testing/contract-target.ts';
import { connectionsOf, withDatabase } from '../../src/testing/contract-target.ts';
import { createTestTenant } from '../../src/testing/fixtures.ts';
import { at, countJobs, newEvent, START } from '../../src/testing/records.ts';
import { targets } from '../support.ts';

/** Writes one job per event into a queue; a second one of the same event would clash by its id. */
function subscriberOf(queue: string): EventSubscriber {
  return { name: queue, receive: (event, tx) => addJob(tx, queue, `${queue}_${event.id}`) };
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
        const counting: EventSubscriber = {
          name: 'first',
          async receive(event, tx) {
            seen.push(event.id);
            await subscriberOf('first').receive(event, tx);
          },
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
        const failing: EventSubscriber = {
          name: 'failing',
          async receive(event) {
            poisoned ??= event.id;
            if (event.id === poisoned) throw new Error('refused');
          },
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

    test('an event that a relay without a registered subscriber takes reaches it in another process', () =>
      withDatabase(target, async (opened) => {
        const { database } = opened;
        const [first, second] = [subscriberOf('first'), subscriberOf('second')];
        await appendEvents(opened, 1);
        await createRelay(database, [first]).runOnce();
        const later = createRelay(database, [first, second]);
        await later.start();
        await later.stop();
        await appendEvents(opened, 5);
        await createRelay(database, []).runOnce();
        await createRelay(database, [first]).runOnce();
        assert.equal(await countJobs(database, 'first'), 6);
        assert.equal(await countJobs(database, 'second'), 0);
        assert.equal(await countJobs(database, subscriberQueue('second')), 5);
        await later.runOnce();
        assert.equal(await countJobs(database, 'second'), 5);
        assert.equal(await countJobs(database, subscriberQueue('second')), 0);
      }));

    test('subscribers that no process has had for long are forgotten', () =>
      withDatabase(target, async (opened) => {
        const database: Database = opened.database;
        const inTransaction = <T>(work: (tx: KernelOperations) => Promise<T>) =>
          database.transaction((session) => work(database.kernel(session)));
        await inTransaction((tx) => tx.registerSubscribers(['b', 'a'], at(0)));
        await inTransaction((tx) => tx.registerSubscribers(['b'], at(10)));
        const { listSubscribers } = database.kernel(database.reader);
        assert.deepEqual(await listSubscribers(), ['a', 'b']);
        assert.equal(await inTransaction((tx) => tx.deleteSubscribers(at(10))), 1);
        assert.deepEqual(await listSubscribers(), ['b']);
      }));
  });
}
