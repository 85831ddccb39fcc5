import assert from 'node:assert/strict';
import type { Database } from '../storage/database.ts';
import type { ContractPromises } from '../testing/contract-target.ts';
import { connectionsOf } from '../testing/contract-target.ts';
import { at, claim, countJobs, enqueue, newJob } from '../testing/records.ts';
import type { LeasedJob } from './storage.ts';

/** Contract checks of claims: which jobs a claim returns, and to which worker. */
export const jobPromises: ContractPromises = {
  'due jobs are claimed oldest first, ties by id, up to the limit': async ({ database }) => {
    const [a, b] = [newJob({ id: 'job_a', dueAt: at(0) }), newJob({ id: 'job_b', dueAt: at(0) })];
    const early = newJob({ id: 'job_z', dueAt: at(-1) });
    await enqueue(database, b, a, early);
    assert.deepEqual(idsOf(await claim(database, 'w', { limit: 2 })), ['job_z', 'job_a']);
    assert.deepEqual(idsOf(await claim(database, 'w', { limit: 2 })), ['job_b']);
  },

  'a claim returns only due jobs of the given queue': async ({ database }) => {
    await enqueue(database, newJob({ dueAt: at(1) }), newJob({ queue: 'other' }));
    assert.deepEqual(await claim(database, 'w'), []);
    assert.equal((await claim(database, 'w', { now: at(1) })).length, 1);
  },

  'a claimed job is returned as it was stored, with its lease': async ({ database }) => {
    const job = newJob({ group: 'grüppe "1"', payload: { text: 'grün ✓', empty: '' } });
    await enqueue(database, job);
    const [leased] = await claim(database, 'token', { leaseUntil: at(500) });
    const attempts = { attempts: 1, lastError: null, isAbandoned: false, isOrdered: false };
    assert.deepEqual(leased, { ...job, dueAt: at(500), leaseToken: 'token', ...attempts });
  },

  'a claim that rolls back leases nothing': async ({ database }) => {
    await enqueue(database, newJob());
    const failing = database.transaction(async (session) => {
      await database.kernel(session).claimJobs({
        queue: 'test',
        now: at(0),
        leaseUntil: at(10_000),
        leaseToken: 'lost',
        limit: 5,
        groupCapacity: () => 5,
      });
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    assert.equal((await claim(database, 'w')).length, 1);
  },

  'a claim returns no more jobs of a group than its capacity': async ({ database }) => {
    await enqueue(database, newJob(), newJob(), newJob(), newJob({ group: 'shut' }));
    const groupCapacity = (group: string) => (group === 'shut' ? 0 : 2);
    assert.equal((await claim(database, 'w', { groupCapacity })).length, 2);
  },

  'a full group does not hide later jobs of other groups': async ({ database }) => {
    const crowd = Array.from({ length: 60 }, () => newJob({ group: 'crowd' }));
    const behind = newJob({ id: 'job_behind', group: 'quiet', dueAt: at(0) });
    await enqueue(database, ...crowd.map((job) => ({ ...job, dueAt: at(-5) })), behind);
    const jobs = await claim(database, 'w', { limit: 3, groupCapacity: () => 1 });
    assert.deepEqual(jobs.map(({ group }) => group).sort(), ['crowd', 'quiet']);
  },

  'jobs with an empty or unknown group name are claimed like others': async ({ database }) => {
    await enqueue(database, newJob({ group: '' }), newJob({ group: "o'group" }));
    const groupCapacity = (group: string) => (group === '' ? 0 : 1);
    const jobs = await claim(database, 'w', { groupCapacity });
    assert.deepEqual(
      jobs.map(({ group }) => group),
      ["o'group"],
    );
  },

  'a claim leaves out the jobs with the excluded ids, and they hide no others': async ({
    database,
  }) => {
    const inHand = Array.from({ length: 12 }, () => newJob({ dueAt: at(-1) }));
    const others = [newJob({ id: 'job_a' }), newJob({ id: 'job_b' }), newJob({ id: 'job_c' })];
    await enqueue(database, ...inHand, ...others);
    await claim(database, 'w', { limit: 6, now: at(-1), leaseUntil: at(0) });
    const excludedIds = new Set(idsOf(inHand));
    const take = async (limit: number) =>
      idsOf(await claim(database, 'w2', { limit, excludedIds }));
    assert.deepEqual([await take(2), await take(2)], [['job_a', 'job_b'], ['job_c']]);
    assert.deepEqual(await take(2), []);
    const rest = await claim(database, 'w3', { limit: 20 });
    assert.deepEqual(idsOf(rest).sort(), idsOf(inHand).sort());
  },

  'parallel claims get different jobs, and together all of them': async (opened) => {
    const jobs = Array.from({ length: 60 }, (_, index) => newJob({ group: `group${index % 7}` }));
    await enqueue(opened.database, ...jobs);
    const connections = connectionsOf(opened);
    const claimers = Array.from({ length: 8 }, (_, index) =>
      claimAll(connections[index % connections.length] as Database, `worker${index}`),
    );
    const given = (await Promise.all(claimers)).flat();
    assert.deepEqual(idsOf(given).sort(), idsOf(jobs).sort());
  },

  'the next due time counts leased jobs with the end of their lease': async ({ database }) => {
    const nextDueAt = (after?: Date) => database.kernel(database.reader).nextDueAt('test', after);
    assert.equal(await nextDueAt(), null);
    await enqueue(database, newJob(), newJob({ group: 'late', dueAt: at(90_000) }));
    assert.deepEqual(await nextDueAt(), at(0));
    await claim(database, 'w', { leaseUntil: at(10_000) });
    assert.deepEqual(await nextDueAt(), at(10_000));
    assert.deepEqual(await nextDueAt(at(9_999)), at(10_000));
    assert.deepEqual(await nextDueAt(at(10_000)), at(90_000));
    assert.equal(await nextDueAt(at(90_000)), null);
  },

  'the job count of a queue includes leased jobs and excludes other queues': async ({
    database,
  }) => {
    await enqueue(database, newJob(), newJob(), newJob({ queue: 'other' }));
    await claim(database, 'w', { limit: 1 });
    assert.equal(await countJobs(database), 2);
    assert.equal(await countJobs(database, 'nothing'), 0);
    const reads = database.kernel(database.reader);
    assert.deepEqual([await reads.countJobs('test', 1), await reads.countJobs('test', 9)], [1, 2]);
  },

  'dropping jobs removes the unleased ones among them and no others': async ({ database }) => {
    const named = [newJob({ dueAt: at(-1) }), newJob(), newJob({ queue: 'other' })];
    await enqueue(database, ...named, newJob());
    const [leased] = await claim(database, 'w', { limit: 1 });
    assert.equal(leased?.id, named[0]?.id);
    const drop = (ids: readonly string[]) =>
      database.transaction((session) => database.kernel(session).dropJobs(ids));
    assert.deepEqual([await drop(['unknown', ...idsOf(named)]), await drop([])], [2, 0]);
    assert.equal(await countJobs(database), 2);
    assert.equal(await countJobs(database, 'other'), 0);
    const finished = await database.transaction((session) =>
      database.kernel(session).finishJobs([{ id: leased?.id ?? '', leaseToken: 'w' }]),
    );
    assert.deepEqual(finished, [leased?.id]);
  },
};

/** Claims until no due job is unleased; an empty claim may only mean that others hold them. */
async function claimAll(database: Database, token: string): Promise<LeasedJob[]> {
  const given: LeasedJob[] = [];
  for (;;) {
    given.push(...(await claim(database, token, { limit: 3, leaseUntil: at(60_000) })));
    const next = await database.kernel(database.reader).nextDueAt('test');
    if (next === null || next > at(0)) return given;
  }
}

function idsOf(jobs: ReadonlyArray<{ readonly id: string }>): string[] {
  return jobs.map(({ id }) => id);
}
