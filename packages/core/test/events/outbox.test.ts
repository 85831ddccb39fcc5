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

    test('the rest of an event that a subscriber takes in parts comes after the events of others', () =>
      withDatabase(target, async (opened) => {
        await appendEvents(opened, 1);
        await appendEvents(opened, 1);
        const parts: string[] = [];
        const inParts: EventSubscriber = {
          name: 'parts',
          async receive({ id }, tx, after) {
            const part = after === undefined ? 0 : Number(after);
            parts.push(`${part}`);
            await addJob(tx, 'parts', `job_${id}_${part}`);
            return part < 2 ? `${part + 1}` : undefined;
          },
        };
        await createRelay(opened.database, [inParts, subscriberOf('whole')]).runOnce();
        assert.deepEqual(parts.slice(0, 2), ['0', '0']);
        assert.deepEqual(parts.sort(), ['0', '0', '1', '1', '2', '2']);
        assert.equal(await countJobs(opened.database, 'parts'), 6);
        assert.equal(await countJobs(opened.database, 'whole'), 2);
        assert.equal(await countJobs(opened.database, subscriberQueue('parts')), 0);
      }));

    test('a subscriber that fails delays one event of the others until the lease expires, and fails alone', () =>
      withDatabase(target, async (opened) => {
        await appendEvents(opened, 3);
        const database: Database = opened.database;
        const failing: EventSubscriber = {
          name: 'failing',
          async receive() {
            throw new Error('refused');
          },
        };
        const clock = createTestClock();
        const relay = createRelay(database, [subscriberOf('first'), failing], clock);
        await relay.runOnce();
        await clock.advance(15_000);
        await relay.runOnce();
        assert.equal(await countJobs(database, 'first'), 3);
        assert.equal(await countJobs(database, OUTBOX_QUEUE), 0);
        await appendEvents(opened, 2);
        await relay.runOnce();
        assert.equal(await countJobs(database, 'first'), 5, 'later events are not delayed');
        assert.equal(await countJobs(database, subscriberQueue('failing')), 5);
        for (let attempt = 0; attempt < 25; attempt += 1) {
          await clock.advance(3_600_001);
          await relay.runOnce();
        }
        const reads = database.kernel(database.reader);
        assert.equal(await reads.countFailedJobs(subscriberQueue('failing')), 5);
        assert.equal(await reads.countFailedJobs(), 5);
        assert.equal(await countJobs(database, 'first'), 5);
      }));

    test('a subscriber that takes events together gets those of a transaction at once, and each alone when it fails', () =>
      withDatabase(target, async (opened) => {
        const { database } = opened;
        await appendEvents(opened, 6);
        const calls: string[] = [];
        const alone = subscriberOf('together');
        let isFailing = false;
        const together: EventSubscriber = {
          ...alone,
          receive(event, tx, after) {
            calls.push('1');
            return alone.receive(event, tx, after);
          },
          async receiveAll(events, tx) {
            calls.push(String(events.length));
            for (const event of events.slice(1)) await alone.receive(event, tx);
            if (isFailing) throw new Error('refused');
            // The first one is finished in parts.
            return events.map((_, index) => (index === 0 ? 'rest' : undefined));
          },
        };
        const clock = createTestClock();
        const relay = createRelay(database, [together], clock);
        await relay.runOnce();
        assert.deepEqual(calls.slice(0, 2), ['6', '1']);
        isFailing = true;
        await appendEvents(opened, 3);
        await relay.runOnce();
        assert.equal(await countJobs(database, OUTBOX_QUEUE), 0);
        assert.deepEqual(calls.slice(2, 6), ['3', '1', '1', '1']);
      }));

    test('events left to a subscriber that is not registered any more are removed in batches', () =>
      withDatabase(target, async (opened) => {
        const database: Database = opened.database;
        await appendEvents(opened, 3);
        const inTransaction = <T>(work: (tx: KernelOperations) => Promise<T>) =>
          database.transaction((session) => work(database.kernel(session)));
        await inTransaction((tx) => tx.registerSubscribers(['renamed', 'kept'], at(0)));
        await createRelay(database, []).runOnce();
        await inTransaction((tx) => addJob(tx, 'other', 'job_other'));
        const remove = () => inTransaction((tx) => tx.deleteUnclaimedJobs(2));
        assert.equal(await remove(), 0);
        await inTransaction((tx) => tx.registerSubscribers(['kept'], at(9)));
        await inTransaction((tx) => tx.deleteSubscribers(at(5)));
        const [leased] = await inTransaction((tx) =>
          tx.claimJobs({
            queue: subscriberQueue('renamed'),
            ...{ now: at(1e12), leaseUntil: at(1e12), leaseToken: 'w', limit: 1 },
            groupCapacity: () => 1,
          }),
        );
        const failure = { error: 'e', failedAt: at(0), attempts: 1 };
        await inTransaction((tx) => tx.failJob(leased?.id ?? '', 'w', failure));
        assert.deepEqual([await remove(), await remove(), await remove()], [2, 1, 0]);
        assert.equal(await countJobs(database, subscriberQueue('kept')), 3);
        assert.equal(await countJobs(database, 'other'), 1);
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
