import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContractPromises } from '../testing/contract-target.ts';
import { connectionsOf } from '../testing/contract-target.ts';
import { createTestTenant } from '../testing/fixtures.ts';
import { countJobs, enqueue, newJob } from '../testing/records.ts';
import { bindStorage } from './bind.ts';
import type { Database, DatabaseSession, TransactionScope } from './database.ts';
import { OUTSIDE_REQUEST } from './database.ts';

const UNDONE = new Error('undone');

/** Contract checks of atomicity, isolation, the end of transactions, and callbacks after the commit. */
export const transactionPromises: ContractPromises = {
  'a transaction commits when its work resolves, and returns the value of the work': async ({
    database,
  }) => {
    const value = await database.transaction(async (session) => {
      await database.kernel(session).enqueueJobs([newJob()]);
      await database.kernel(session).enqueueJobs([newJob()]);
      return 'done';
    });
    assert.equal(value, 'done');
    assert.equal(await countJobs(database), 2);
  },

  'a transaction whose work rejects leaves nothing behind': async ({ database }) => {
    await assert.rejects(writeAndFail(database), UNDONE);
    assert.equal(await countJobs(database), 0);
  },

  'a transaction sees its own changes; others see them after the commit': async (opened) => {
    const { database } = opened;
    await database.transaction(async (session) => {
      await database.kernel(session).enqueueJobs([newJob()]);
      assert.equal(await database.kernel(session).countJobs('test'), 1);
      for (const each of connectionsOf(opened)) assert.equal(await countJobs(each), 0);
    });
    for (const each of connectionsOf(opened)) assert.equal(await countJobs(each), 1);
  },

  'a joined transaction commits and rolls back with the one it joins': async ({ database }) => {
    const storage = bindStorage(database, () => ({}));
    await database.transaction((session) =>
      storage.transaction({ session }, (tx) => tx.ensureTenant('kept')),
    );
    const undone = database.transaction(async (session) => {
      await storage.transaction({ session }, (tx) => tx.ensureTenant('lost'));
      throw UNDONE;
    });
    await assert.rejects(undone, UNDONE);
    const reads = database.kernel(database.reader);
    assert.deepEqual([await reads.hasTenant('kept'), await reads.hasTenant('lost')], [true, false]);
  },

  'a storage locks a tenant that exists, and refuses one that does not': async (opened) => {
    const storage = bindStorage(opened.database, () => ({}));
    const { organizationId } = await createTestTenant(opened);
    await storage.withTenantLock(OUTSIDE_REQUEST, organizationId, (tx) =>
      tx.enqueueJobs([newJob()]),
    );
    assert.equal(await countJobs(opened.database), 1);
    await assert.rejects(
      storage.withTenantLock(OUTSIDE_REQUEST, 'org_none', async () => undefined),
      { kind: 'not_found' },
    );
  },

  'a transaction locks a tenant once, and another one again': async (opened) => {
    const { database } = opened;
    const [first, second] = [await createTestTenant(opened), await createTestTenant(opened)];
    const locks: string[] = [];
    const watched: Database = {
      ...database,
      lockTenant: (session, id) => {
        locks.push(id);
        return database.lockTenant(session, id);
      },
    };
    const storage = bindStorage(watched, () => ({}));
    const lock = (scope: TransactionScope, { organizationId }: typeof first) =>
      storage.withTenantLock(scope, organizationId, async () => undefined);
    await database.transaction(async (session) => {
      for (const tenant of [first, first, second, first]) await lock({ session }, tenant);
    });
    await lock(OUTSIDE_REQUEST, first);
    const named = locks.map((id) => (id === first.organizationId ? 'first' : 'second'));
    assert.deepEqual(named, ['first', 'second', 'first', 'first']);
  },

  "a caller is confirmed once in each transaction, after the tenant's lock, and refused without a trace":
    async (opened) => {
      const { database } = opened;
      const { organizationId } = await createTestTenant(opened);
      const locked: boolean[] = [];
      let isLocked = false;
      const watched: Database = {
        ...database,
        lockTenant: (session, id) => {
          isLocked = true;
          return database.lockTenant(session, id);
        },
      };
      const storage = bindStorage(watched, () => ({}));
      const confirm = async () => void locked.push(isLocked);
      const scope = { requestId: 'req_1', confirm };
      await storage.withTenantLock(scope, organizationId, (tx) => tx.enqueueJobs([newJob()]));
      assert.deepEqual(locked, [true]);
      await database.transaction(async (session) => {
        const joined = { ...scope, unit: { open: async () => session } };
        await storage.transaction(joined, (tx) => tx.enqueueJobs([newJob()]));
        await storage.transaction(joined, (tx) => tx.enqueueJobs([newJob()]));
      });
      assert.equal(locked.length, 2);
      const refuse = () => Promise.reject(UNDONE);
      const refused = { ...scope, confirm: refuse };
      await assert.rejects(
        storage.transaction(refused, (tx) => tx.enqueueJobs([newJob()])),
        UNDONE,
      );
      assert.equal(await countJobs(database), 3);
    },

  'writes need a transaction': async ({ database }) => {
    const kernel = database.kernel(database.reader);
    const job = newJob();
    await enqueue(database, job);
    await assert.rejects(kernel.enqueueJobs([newJob()]), /Writes need a transaction/);
    await assert.rejects(kernel.dropJobs([job.id]), /Writes need a transaction/);
    assert.equal(await countJobs(database), 1);
  },

  'an ended transaction rejects further use': async ({ database }) => {
    const sessions: DatabaseSession[] = [];
    await database.transaction(async (session) => sessions.push(session));
    const failing = database.transaction(async (session) => {
      sessions.push(session);
      throw UNDONE;
    });
    await assert.rejects(failing, UNDONE);
    assert.equal(sessions.length, 2);
    for (const session of sessions) {
      const kernel = database.kernel(session);
      await assert.rejects(kernel.enqueueJobs([newJob()]), /The transaction has ended/);
      await assert.rejects(kernel.countJobs('test'), /The transaction has ended/);
    }
    assert.equal(await countJobs(database), 0);
  },

  'close waits for open transactions, then the database rejects all use': async ({ database }) => {
    await database.ping();
    let ended = false;
    const open = database.transaction(async (session) => {
      await nextTurn();
      await database.kernel(session).enqueueJobs([newJob()]);
      ended = true;
    });
    await nextTurn();
    await database.close();
    assert.equal(ended, true);
    await open;
    await assert.rejects(database.transaction(async () => undefined));
    await assert.rejects(database.ping());
    await database.close();
  },

  'after-commit callbacks run in order once the commit is visible': async ({ database }) => {
    const seen: Array<Promise<number>> = [];
    const order: string[] = [];
    await database.transaction(async (session) => {
      session.afterCommit(() => seen.push(countJobs(database)));
      session.afterCommit(() => order.push('first'));
      session.afterCommit(() => order.push('second'));
      await database.kernel(session).enqueueJobs([newJob()]);
      assert.deepEqual(order, []);
    });
    assert.deepEqual(await Promise.all(seen), [1]);
    assert.deepEqual(order, ['first', 'second']);
  },

  'after-commit callbacks of a rolled-back transaction never run': async ({ database }) => {
    let called = 0;
    const failing = database.transaction(async (session) => {
      session.afterCommit(() => {
        called += 1;
      });
      throw UNDONE;
    });
    await assert.rejects(failing, UNDONE);
    await enqueue(database, newJob());
    assert.equal(called, 0);
  },

  'an after-commit callback that throws fails neither its transaction nor later callbacks': async ({
    database,
  }) => {
    const value = await database.transaction(async (session) => {
      session.afterCommit(() => {
        throw new Error('a listener failed');
      });
      await database.kernel(session).enqueueJobs([newJob()]);
      return 'committed';
    });
    assert.equal(value, 'committed');
    await enqueue(database, newJob());
    assert.equal(await countJobs(database), 2);
  },

  'the job signal fires for the queues of committed jobs only': async ({ database }) => {
    const fired: string[] = [];
    for (const queue of ['test', 'other']) {
      database.jobSignal.subscribe(queue, () => fired.push(queue));
    }
    await assert.rejects(writeAndFail(database), UNDONE);
    assert.deepEqual(fired, []);
    await enqueue(database, newJob(), newJob());
    assert.deepEqual(fired, ['test']);
  },

  'parallel transactions all commit, over every connection': async (opened) => {
    const connections = connectionsOf(opened);
    const work = Array.from({ length: 40 }, (_, index) =>
      enqueue(connections[index % connections.length] as Database, newJob()),
    );
    await Promise.all(work);
    assert.equal(await countJobs(opened.database), 40);
  },

  'a failing transaction does not affect concurrent ones': async ({ database }) => {
    const work = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0 ? writeAndFail(database) : enqueue(database, newJob()),
    );
    const results = await Promise.allSettled(work);
    const failed = results.filter(({ status }) => status === 'rejected');
    assert.equal(failed.length, 4);
    assert.equal(await countJobs(database), 8);
  },
};

async function writeAndFail(database: Database): Promise<void> {
  await database.transaction(async (session) => {
    await database.kernel(session).enqueueJobs([newJob()]);
    throw UNDONE;
  });
}
