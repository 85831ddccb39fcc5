import assert from 'node:assert/strict';
import type { Database, KernelOperations } from '../storage/database.ts';
import type { ContractPromises } from '../testing/contract-target.ts';
import { connectionsOf } from '../testing/contract-target.ts';
import { at, claim, countJobs, enqueue, newJob } from '../testing/records.ts';
import type { FailedJob, FailedJobBatch, NewJob, RetriedBatch } from './storage.ts';
import { LEASE_RAN_OUT } from './storage.ts';

/** Contract checks of failed attempts and of jobs that were given up. */
export const failedJobPromises: ContractPromises = {
  'every claim counts an attempt, and a job rescheduled with an error keeps its count': async ({
    database,
  }) => {
    const { id } = await enqueueOne(database);
    const errors = [null, 'first', 'second'];
    for (const [index, error] of ['first', 'second', 'third'].entries()) {
      const [job] = await claim(database, 'w');
      assert.deepEqual([job?.attempts, job?.lastError], [index + 1, errors[index]]);
      assert.equal(job?.isAbandoned, false);
      await inTransaction(database, (tx) => tx.rescheduleJob(id, 'w', at(0), error));
    }
    const { items } = await readsOf(database).listJobs(PAGE);
    assert.deepEqual([items[0]?.attempts, items[0]?.lastError], [3, 'third']);
  },

  'a job rescheduled without an error has no attempts counted and no error': async ({
    database,
  }) => {
    const { id } = await enqueueOne(database);
    for (const error of ['first', null]) {
      await claim(database, 'w');
      await inTransaction(database, (tx) => tx.rescheduleJob(id, 'w', at(0), error));
    }
    const { items } = await readsOf(database).listJobs(PAGE);
    assert.deepEqual([items[0]?.attempts, items[0]?.lastError], [0, null]);
    const [job] = await claim(database, 'w');
    assert.deepEqual([job?.attempts, job?.lastError], [1, null]);
  },

  'a job with an expired lease is claimed again as abandoned, with the attempt counted': async ({
    database,
  }) => {
    await enqueueOne(database);
    await claim(database, 'dead', { leaseUntil: at(1_000) });
    const [job] = await claim(database, 'next', { now: at(1_000) });
    const { attempts, lastError, isAbandoned } = job ?? {};
    assert.deepEqual([attempts, lastError, isAbandoned], [2, LEASE_RAN_OUT, true]);
    const { items } = await readsOf(database).listJobs(PAGE);
    assert.equal(items[0]?.lastError, LEASE_RAN_OUT);
  },

  'a claim that takes abandoned jobs and others tells them apart': async ({ database }) => {
    const abandoned = await enqueueOne(database);
    await claim(database, 'dead', { leaseUntil: at(1_000) });
    const fresh = await enqueueOne(database, { dueAt: at(500) });
    const jobs = await claim(database, 'next', { now: at(1_000) });
    const told = Object.fromEntries(jobs.map((job) => [job.id, [job.isAbandoned, job.attempts]]));
    assert.deepEqual(told, { [abandoned.id]: [true, 2], [fresh.id]: [false, 1] });
    const { items } = await readsOf(database).listJobs(PAGE);
    const errors = Object.fromEntries(items.map(({ id, lastError }) => [id, lastError]));
    assert.deepEqual(errors, { [abandoned.id]: LEASE_RAN_OUT, [fresh.id]: null });
  },

  'job errors are stored without secrets, without U+0000 and at most 1,000 characters long':
    async ({ database }) => {
      const { id } = await enqueueOne(database);
      const error = `\0Bearer abcdefgh.ijkl at postgres://u:hunter2@db ${'ü'.repeat(5_000)}`;
      await claim(database, 'w');
      await inTransaction(database, (tx) => tx.rescheduleJob(id, 'w', at(0), error));
      const [job] = await claim(database, 'w');
      const expected = 'Bearer [redacted] at postgres://u:[redacted]@db üü';
      assert.equal(job?.lastError?.slice(0, expected.length), expected);
      assert.equal(job?.lastError?.length, 1_000);
      await fail(database, id, 'w', { error });
      const [failed] = await listFailed(database);
      assert.equal(failed?.lastError, job?.lastError);
    },

  'a failed job is kept with its fields, and no worker can claim it': async ({ database }) => {
    const facts = { tenantId: 'tenänt', group: 'grüppe', payload: { text: 'grün ✓' } };
    const { id } = await enqueueOne(database, facts);
    await claim(database, 'w');
    assert.equal(await fail(database, id, 'w'), true);
    const failure = { attempts: 20, lastError: 'broken', failedAt: at(7) };
    assert.deepEqual(await listFailed(database), [{ id, queue: 'test', ...facts, ...failure }]);
    assert.equal(await countJobs(database), 0);
    assert.deepEqual(await claim(database, 'w', { now: at(90_000) }), []);
    assert.equal(await fail(database, id, 'w'), false, 'a second time');
  },

  'failing a job in a rolled-back transaction leaves it leased and not failed': async ({
    database,
  }) => {
    const { id } = await enqueueOne(database);
    await claim(database, 'w');
    const failing = inTransaction(database, async (tx) => {
      await tx.failJob(id, 'w', { error: 'broken', failedAt: at(7), attempts: 20 });
      assert.equal(await tx.countFailedJobs('test'), 1);
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    assert.deepEqual([await countJobs(database), await countFailed(database)], [1, 0]);
    assert.equal(await fail(database, id, 'w'), true);
    assert.deepEqual([await countJobs(database), await countFailed(database)], [0, 1]);
  },

  'a worker that lost the lease cannot make a job fail': async ({ database }) => {
    const { id } = await enqueueOne(database);
    await claim(database, 'first', { leaseUntil: at(1_000) });
    await claim(database, 'second', { now: at(1_000) });
    assert.equal(await fail(database, id, 'first'), false);
    assert.deepEqual([await countJobs(database), await countFailed(database)], [1, 0]);
  },

  'a job that fails under the id of a failed one replaces it': async ({ database }) => {
    for (const error of ['first', 'second']) {
      await enqueueOne(database, { id: 'job_daily' });
      await claim(database, 'w');
      await fail(database, 'job_daily', 'w', { error });
    }
    const errors = (await listFailed(database)).map(({ lastError }) => lastError);
    assert.deepEqual(errors, ['second']);
  },

  'failed jobs are counted and listed by queue, the last failure first, in pages': async ({
    database,
  }) => {
    await failMany(database, 5);
    await failMany(database, 2, 'other');
    const reads = readsOf(database);
    assert.deepEqual([await reads.countFailedJobs(), await reads.countFailedJobs('test')], [7, 5]);
    assert.deepEqual(
      [await reads.countFailedJobs('test', 4), await reads.countFailedJobs('test', 9)],
      [4, 5],
    );
    assert.equal(await reads.countFailedJobs('nothing'), 0);
    const first = await reads.listFailedJobs({ limit: 3, offset: 0 }, 'test');
    const rest = await reads.listFailedJobs({ limit: 3, offset: 3 }, 'test');
    assert.deepEqual(idsOf([...first.items, ...rest.items]), [
      'job_test4',
      'job_test3',
      'job_test2',
      'job_test1',
      'job_test0',
    ]);
    assert.deepEqual([first.total, rest.total], [5, 5]);
    assert.equal((await reads.listFailedJobs(PAGE)).total, 7);
  },

  'pending jobs are listed by queue and due time, in pages, leased ones marked': async ({
    database,
  }) => {
    const jobs = [3, 1, 2].map((ms) => newJob({ id: `job_${ms}`, dueAt: at(ms) }));
    await enqueue(database, ...jobs, newJob({ queue: 'other' }));
    await claim(database, 'w', { now: at(1), leaseUntil: at(9_000) });
    const reads = readsOf(database);
    const { items, total } = await reads.listJobs(PAGE, 'test');
    assert.deepEqual(
      items.map(({ id, isLeased, dueAt }) => [id, isLeased, dueAt]),
      [
        ['job_2', false, at(2)],
        ['job_3', false, at(3)],
        ['job_1', true, at(9_000)],
      ],
    );
    assert.equal(total, 3);
    assert.deepEqual(idsOf((await reads.listJobs({ limit: 1, offset: 1 }, 'test')).items), [
      'job_3',
    ]);
    assert.equal((await reads.listJobs(PAGE)).total, 4);
  },

  'the oldest due time of a queue is that of its longest-waiting job': async ({ database }) => {
    const oldest = () => readsOf(database).oldestDueAt('test');
    assert.equal(await oldest(), null);
    await enqueue(database, newJob({ dueAt: at(5) }), newJob({ dueAt: at(9) }));
    await enqueue(database, newJob({ queue: 'other', dueAt: at(1) }));
    assert.deepEqual(await oldest(), at(5));
    await claim(database, 'w', { now: at(5), leaseUntil: at(60_000) });
    assert.deepEqual(await oldest(), at(9));
  },

  'retried failed jobs are due with no attempts counted': async ({ database }) => {
    const { id } = await enqueueOne(database, { payload: { a: 'b' }, group: 'g' });
    await claim(database, 'w');
    await fail(database, id, 'w');
    assert.deepEqual(await retry(database, [id, 'job_none']), [id]);
    assert.equal(await countFailed(database), 0);
    assert.deepEqual(await claim(database, 'w', { now: at(49) }), []);
    const [job] = await claim(database, 'w', { now: at(50) });
    const { payload, group, attempts, lastError, isAbandoned } = job ?? {};
    assert.deepEqual([payload, group, attempts], [{ a: 'b' }, 'g', 1]);
    assert.deepEqual([lastError, isAbandoned], [null, false]);
  },

  'the failed jobs of a queue are retried in batches, first failures first, to a latest failure':
    async ({ database }) => {
      await failMany(database, 4);
      await failMany(database, 2, 'other');
      const batch = (limit: number) => retryBatch(database, { failedUntil: at(2), limit });
      assert.deepEqual(await batch(2), { taken: 2, retried: 2 });
      const pending = await readsOf(database).listJobs(PAGE, 'test');
      assert.deepEqual(idsOf(pending.items), ['job_test0', 'job_test1']);
      assert.deepEqual(await batch(2), { taken: 1, retried: 1 });
      assert.deepEqual(await batch(2), { taken: 0, retried: 0 });
      const left = idsOf((await readsOf(database).listFailedJobs(PAGE, 'test')).items);
      assert.deepEqual([left, await countFailed(database)], [['job_test3'], 3]);
      assert.deepEqual(await retry(database, []), []);
      assert.deepEqual(await retryBatch(database, { queue: 'nothing' }), { taken: 0, retried: 0 });
    },

  'a retry that rolls back leaves the failed jobs unchanged': async ({ database }) => {
    await failMany(database, 2);
    const failing = inTransaction(database, async (tx) => {
      await tx.retryFailedJobs(['job_test0', 'job_test1'], at(50));
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    assert.deepEqual([await countJobs(database), await countFailed(database)], [0, 2]);
  },

  'retrying a failed job whose id is stored again drops it and keeps the stored job': async ({
    database,
  }) => {
    await failMany(database, 1);
    await enqueueOne(database, { id: 'job_test0', dueAt: at(9_000) });
    assert.deepEqual(await retryBatch(database), { taken: 1, retried: 0 });
    assert.equal(await countFailed(database), 0);
    assert.deepEqual(await readsOf(database).nextDueAt('test'), at(9_000));
  },

  'a retry that commits wakes the workers of the queue': async ({ database }) => {
    await failMany(database, 1);
    let wakes = 0;
    database.jobSignal.subscribe('test', () => {
      wakes += 1;
    });
    await retryBatch(database);
    assert.equal(wakes, 1);
  },

  'old failed jobs are deleted in batches, oldest first': async ({ database }) => {
    await failMany(database, 4);
    const remove = (limit: number) =>
      inTransaction(database, (tx) => tx.deleteFailedJobs(at(3), limit));
    assert.equal(await remove(2), 2);
    assert.deepEqual(idsOf(await listFailed(database)), ['job_test3', 'job_test2']);
    assert.deepEqual([await remove(9), await remove(9)], [1, 0]);
    assert.deepEqual(idsOf(await listFailed(database)), ['job_test3']);
  },

  'a job ended by two workers fails at most once, as one has lost the lease': async (opened) => {
    const [one, two] = bothOf(connectionsOf(opened));
    for (let round = 0; round < 10; round += 1) {
      const { id } = await enqueueOne(one);
      await claim(one, 'first', { leaseUntil: at(1_000) });
      const ended = await Promise.all([
        fail(one, id, 'first'),
        claim(two, 'second', { now: at(1_000), leaseUntil: at(2_000) }).then(() =>
          inTransaction(two, async (tx) => {
            const finished = await tx.finishJobs([{ id, leaseToken: 'second' }]);
            return finished.length > 0;
          }),
        ),
      ]);
      assert.equal(ended.filter(Boolean).length, 1, `round ${round}: ${ended}`);
      const isFailed = (await listFailed(one)).some((job) => job.id === id);
      assert.equal(isFailed, ended[0]);
      assert.equal(await countJobs(one), 0);
    }
  },

  'parallel retries restore every failed job once': async (opened) => {
    await failMany(opened.database, 40);
    const connections = connectionsOf(opened);
    const retries = Array.from({ length: 6 }, async (_, index) => {
      const connection = connections[index % connections.length] as Database;
      let total = 0;
      for (;;) {
        const { taken, retried } = await retryBatch(connection, { limit: 7 });
        total += retried;
        if (taken === 0) return total;
      }
    });
    const totals = await Promise.all(retries);
    assert.equal(
      totals.reduce((sum, each) => sum + each, 0),
      40,
    );
    const counts = [await countJobs(opened.database), await countFailed(opened.database)];
    assert.deepEqual(counts, [40, 0]);
  },
};

const PAGE = { limit: 50, offset: 0 };

function bothOf(connections: readonly Database[]): [Database, Database] {
  const [one, two] = connections;
  assert.ok(one);
  return [one, two ?? one];
}

async function enqueueOne(database: Database, given: Partial<NewJob> = {}): Promise<NewJob> {
  const job = newJob(given);
  await enqueue(database, job);
  return job;
}

/** Fails jobs `job_<queue>0`, `job_<queue>1`, … at 0, 1, … milliseconds. */
async function failMany(database: Database, count: number, queue = 'test'): Promise<void> {
  const jobs = Array.from({ length: count }, (_, index) =>
    newJob({ id: `job_${queue}${index}`, queue }),
  );
  await enqueue(database, ...jobs);
  await claim(database, 'w', { queue, limit: count });
  await inTransaction(database, async (tx) => {
    for (const [index, { id }] of jobs.entries()) {
      await tx.failJob(id, 'w', { error: 'broken', failedAt: at(index), attempts: 20 });
    }
  });
}

function fail(
  database: Database,
  id: string,
  leaseToken: string,
  { error = 'broken' }: { readonly error?: string } = {},
): Promise<boolean> {
  const failure = { error, failedAt: at(7), attempts: 20 };
  return inTransaction(database, (tx) => tx.failJob(id, leaseToken, failure));
}

function retry(database: Database, ids: readonly string[]): Promise<string[]> {
  return inTransaction(database, (tx) => tx.retryFailedJobs(ids, at(50)));
}

function retryBatch(
  database: Database,
  given: Partial<FailedJobBatch> = {},
): Promise<RetriedBatch> {
  const batch = { queue: 'test', failedUntil: at(90_000), limit: 99, ...given };
  return inTransaction(database, (tx) => tx.retryFailedBatch(batch, at(50)));
}

function readsOf(database: Database): KernelOperations {
  return database.kernel(database.reader);
}

async function listFailed(database: Database): Promise<readonly FailedJob[]> {
  return (await readsOf(database).listFailedJobs(PAGE)).items;
}

function countFailed(database: Database): Promise<number> {
  return readsOf(database).countFailedJobs();
}

function idsOf(jobs: ReadonlyArray<{ readonly id: string }>): string[] {
  return jobs.map(({ id }) => id);
}

function inTransaction<T>(
  database: Database,
  work: (tx: KernelOperations) => Promise<T>,
): Promise<T> {
  return database.transaction((session) => work(database.kernel(session)));
}
