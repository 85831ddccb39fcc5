import assert from 'node:assert/strict';
import type { Database, KernelOperations } from '../storage/database.ts';
import type { ContractPromises } from '../testing/contract-target.ts';
import { at, claim, countJobs, enqueue, newJob } from '../testing/records.ts';

/** Contract checks of leases: what a holder may do, and what it may not after losing the lease. */
export const leasePromises: ContractPromises = {
  'a leased job cannot be claimed until its lease expires': async ({ database }) => {
    const { id } = await enqueueOne(database);
    assert.equal((await claim(database, 'first', { leaseUntil: at(10_000) })).length, 1);
    assert.deepEqual(await claim(database, 'second', { now: at(9_999) }), []);
    const [again] = await claim(database, 'second', { now: at(10_000) });
    assert.equal(again?.id, id);
    assert.equal(again?.leaseToken, 'second');
  },

  'a worker that lost the lease can neither finish, nor reschedule, nor renew the job': async ({
    database,
  }) => {
    const { id } = await enqueueOne(database);
    await claim(database, 'first', { leaseUntil: at(10_000) });
    await claim(database, 'second', { now: at(10_000), leaseUntil: at(20_000) });
    await inTransaction(database, async (tx) => {
      assert.deepEqual(await tx.finishJobs([{ id, leaseToken: 'first' }]), []);
      assert.equal(await tx.rescheduleJob(id, 'first', at(0)), false);
      assert.deepEqual(await tx.renewJobs([{ id, leaseToken: 'first' }], at(99_000)), []);
    });
    const reader = database.kernel(database.reader);
    assert.deepEqual(await reader.nextDueAt('test'), at(20_000));
    await inTransaction(database, async (tx) => {
      assert.deepEqual(await tx.finishJobs([{ id, leaseToken: 'second' }]), [id]);
    });
    assert.equal(await countJobs(database), 0);
  },

  'a finished job is deleted, and cannot be finished twice': async ({ database }) => {
    const { id } = await enqueueOne(database);
    await claim(database, 'w');
    await inTransaction(database, async (tx) => {
      assert.deepEqual(await tx.finishJobs([{ id, leaseToken: 'w' }]), [id]);
      assert.deepEqual(await tx.finishJobs([{ id, leaseToken: 'w' }]), []);
    });
    assert.equal(await countJobs(database), 0);
  },

  'of several claims, jobs whose leases are held are finished at once, and no others': async ({
    database,
  }) => {
    for (const id of ['job_a', 'job_b', 'job_c']) await enqueue(database, newJob({ id }));
    const [first] = await claim(database, 'first', { limit: 1 });
    const [second] = await claim(database, 'second', { limit: 1 });
    const leases = [
      { id: second?.id ?? '', leaseToken: 'second' },
      { id: first?.id ?? '', leaseToken: 'first' },
      { id: 'job_c', leaseToken: 'first' },
      { id: 'job_none', leaseToken: 'second' },
    ];
    const held = [first?.id, second?.id].sort();
    await inTransaction(database, async (tx) => {
      assert.deepEqual(await tx.finishJobs([]), []);
      assert.deepEqual((await tx.finishJobs(leases)).sort(), held);
      assert.deepEqual(await tx.finishJobs(leases), []);
    });
    assert.equal(await countJobs(database), 1);
  },

  'a job without a lease cannot be finished': async ({ database }) => {
    const { id } = await enqueueOne(database);
    await inTransaction(database, async (tx) => {
      assert.deepEqual(await tx.finishJobs([{ id, leaseToken: 'w' }]), []);
      assert.deepEqual(await tx.finishJobs([{ id: 'job_none', leaseToken: 'w' }]), []);
    });
    assert.equal(await countJobs(database), 1);
  },

  'a rescheduled job can be claimed from its new due time on': async ({ database }) => {
    const { id } = await enqueueOne(database);
    await claim(database, 'first');
    await inTransaction(database, async (tx) => {
      assert.equal(await tx.rescheduleJob(id, 'first', at(3_000)), true);
      assert.deepEqual(await tx.finishJobs([{ id, leaseToken: 'first' }]), []);
    });
    assert.deepEqual(await claim(database, 'second', { now: at(2_999) }), []);
    assert.equal((await claim(database, 'second', { now: at(3_000) })).length, 1);
  },

  'finishing a job in a rolled-back transaction leaves its lease unchanged': async ({
    database,
  }) => {
    const { id } = await enqueueOne(database);
    await claim(database, 'w', { leaseUntil: at(10_000) });
    const failing = inTransaction(database, async (tx) => {
      await tx.finishJobs([{ id, leaseToken: 'w' }]);
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    await inTransaction(database, async (tx) => {
      assert.deepEqual(await tx.finishJobs([{ id, leaseToken: 'w' }]), [id]);
    });
  },

  'renewing extends the leases still held, and returns the ids of those jobs': async ({
    database,
  }) => {
    const [mine, other] = [newJob({ group: 'mine' }), newJob({ group: 'other' })];
    await enqueue(database, mine, other);
    const only = (wanted: string) => (group: string) => (group === wanted ? 1 : 0);
    await claim(database, 'w', { groupCapacity: only('mine'), leaseUntil: at(10_000) });
    await claim(database, 'x', { groupCapacity: only('other'), leaseUntil: at(10_000) });
    await inTransaction(database, async (tx) => {
      const held = [mine.id, other.id, 'job_none'].map((id) => ({ id, leaseToken: 'w' }));
      const renewed = await tx.renewJobs(held, at(50_000));
      assert.deepEqual(renewed, [mine.id]);
    });
    const taken = await claim(database, 'next', { now: at(49_999) });
    assert.deepEqual(
      taken.map(({ id }) => id),
      [other.id],
    );
    assert.equal((await claim(database, 'next', { now: at(50_000) })).length, 1);
  },

  'renewing an empty list of leases changes nothing': async ({ database }) => {
    await inTransaction(database, async (tx) => {
      assert.deepEqual(await tx.renewJobs([], at(1)), []);
    });
  },
};

async function enqueueOne(database: Database): Promise<{ id: string }> {
  const job = newJob();
  await enqueue(database, job);
  return job;
}

function inTransaction(
  database: Database,
  work: (tx: KernelOperations) => Promise<void>,
): Promise<void> {
  return database.transaction((session) => work(database.kernel(session)));
}
