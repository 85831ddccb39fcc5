import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestClock, TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { ProbityError } from '../../src/errors.ts';
import { bindStorage } from '../../src/storage/bind.ts';
import type { Database, Storage } from '../../src/storage/database.ts';
import type { ManagedUnitOfWork } from '../../src/storage/unit-of-work.ts';
import { createUnitOfWork, UNIT_OF_WORK_LIMIT_MS } from '../../src/storage/unit-of-work.ts';
import { countJobs, newJob } from '../../src/testing/records.ts';
import type { DatabaseTarget } from '../../src/testing/targets.ts';
import { targets } from '../support.ts';

const FAILED = new Error('the handler failed');

interface World {
  readonly database: Database;
  readonly storage: Storage<object, object>;
  readonly clock: TestClock;
  /** How many transactions have begun. */
  readonly begun: () => number;
  readonly unit: ManagedUnitOfWork;
}

async function createWorld(t: TestLifetime, target: DatabaseTarget): Promise<World> {
  const opened = await target.open();
  t.after(opened.dispose);
  const database: Database = opened.database;
  const clock = createTestClock();
  let begun = 0;
  const unit = createUnitOfWork(database, clock, async () => {
    begun += 1;
  });
  return { database, storage: bindStorage(database, () => ({})), clock, unit, begun: () => begun };
}

async function enqueueIn({ database, storage }: World, unit: ManagedUnitOfWork): Promise<void> {
  await storage.transaction({ unit }, (tx) => tx.enqueueJobs([newJob()]));
  assert.equal(await countJobs(database), 0);
}

const nothing = async () => undefined;

for (const target of targets) {
  describe(`${target.name}: unit of work`, () => {
    test('a unit of work begins no transaction before the first write', async (t) => {
      const { unit, begun, clock } = await createWorld(t, target);
      assert.equal(await unit.rollback(FAILED), FAILED);
      assert.deepEqual([begun(), clock.pendingTimers], [0, 0]);
    });

    test('all transactions of a request are one, committed together with its last step', async (t) => {
      const world = await createWorld(t, target);
      const { unit, database, storage, begun, clock } = world;
      const reads = database.kernel(database.reader);
      await enqueueIn(world, unit);
      await storage.transaction({ unit }, (tx) => tx.ensureTenant('acme'));
      await storage.withTenantLock({ unit }, 'acme', (tx) => tx.enqueueJobs([newJob()]));
      assert.equal(await reads.hasTenant('acme'), false);
      await unit.commit((session) => database.kernel(session).enqueueJobs([newJob()]));
      assert.equal(await reads.hasTenant('acme'), true);
      assert.deepEqual([await countJobs(database), begun(), clock.pendingTimers], [3, 1, 0]);
    });

    test('a commit without any write begins the transaction itself', async (t) => {
      const { unit, database, begun } = await createWorld(t, target);
      await unit.commit((session) => database.kernel(session).enqueueJobs([newJob()]));
      assert.deepEqual([await countJobs(database), begun()], [1, 1]);
    });

    test('a rollback undoes everything, resolves to its reason and frees the database', async (t) => {
      const world = await createWorld(t, target);
      await enqueueIn(world, world.unit);
      assert.equal(await world.unit.rollback(FAILED), FAILED);
      await world.database.transaction((session) =>
        world.database.kernel(session).enqueueJobs([newJob()]),
      );
      assert.deepEqual([await countJobs(world.database), world.clock.pendingTimers], [1, 0]);
    });

    test('a failing last step rolls back the unit of work', async (t) => {
      const world = await createWorld(t, target);
      await enqueueIn(world, world.unit);
      await assert.rejects(
        world.unit.commit(() => Promise.reject(FAILED)),
        FAILED,
      );
      assert.equal(await world.unit.rollback(FAILED), FAILED);
      assert.equal(await countJobs(world.database), 0);
    });

    test('an error at the start of a unit of work reaches every writer, commit and rollback', async (t) => {
      const { database, storage, clock } = await createWorld(t, target);
      const refused = new Error('refused');
      const unit = createUnitOfWork(database, clock, () => Promise.reject(refused));
      await assert.rejects(storage.transaction({ unit }, nothing), refused);
      await assert.rejects(storage.transaction({ unit }, nothing), refused);
      await assert.rejects(unit.commit(nothing), refused);
      assert.equal(await unit.rollback(FAILED), refused);
      assert.equal(clock.pendingTimers, 0);
    });

    test('a handler that hangs loses its transaction and gets an error', async (t) => {
      const world = await createWorld(t, target);
      const { unit, clock, database, storage } = world;
      await enqueueIn(world, unit);
      await clock.advance(UNIT_OF_WORK_LIMIT_MS);
      await database.transaction((session) => database.kernel(session).enqueueJobs([newJob()]));
      await assert.rejects(storage.transaction({ unit }, (tx) => tx.enqueueJobs([newJob()])));
      await assert.rejects(unit.commit(nothing), isUnavailable);
      assert.ok(isUnavailable(await unit.rollback(FAILED)));
      assert.equal(await countJobs(database), 1);
    });

    test('other transactions continue while a unit of work is open, or wait for it', async (t) => {
      const world = await createWorld(t, target);
      const { unit, database } = world;
      await enqueueIn(world, unit);
      const others = Array.from({ length: 5 }, () =>
        database.transaction((session) => database.kernel(session).enqueueJobs([newJob()])),
      );
      await unit.commit(nothing);
      await Promise.all(others);
      assert.equal(await countJobs(database), 6);
    });

    test('many concurrent units of work all end, committed or rolled back', async (t) => {
      const { database, storage, clock } = await createWorld(t, target);
      const requests = Array.from({ length: 30 }, async (_, index) => {
        const unit = createUnitOfWork(database, clock, nothing);
        await storage.transaction({ unit }, (tx) => tx.enqueueJobs([newJob()]));
        if (index % 3 === 0) await unit.rollback(FAILED);
        else await unit.commit(nothing);
      });
      await Promise.all(requests);
      assert.deepEqual([await countJobs(database), clock.pendingTimers], [20, 0]);
    });
  });
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ProbityError && error.kind === 'unavailable';
}
