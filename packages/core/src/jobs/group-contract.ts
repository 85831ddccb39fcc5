import assert from 'node:assert/strict';
import type { Database } from '../storage/database.ts';
import type { ContractPromises } from '../testing/contract-target.ts';
import { connectionsOf } from '../testing/contract-target.ts';
import { at, claim, enqueue, newJob } from '../testing/records.ts';
import type { JobGroup, JobGroupRule, LeasedJob, NewJob } from './storage.ts';

/** Contract checks of the rules of groups: how many of their jobs a claim returns. */
export const groupPromises: ContractPromises = {
  'no more jobs of a group are claimed within 1.1 seconds than its limit': async ({ database }) => {
    for (const size of [10, 80]) {
      await setGroup(database, { startsPerSecond: 3 });
      await enqueue(database, ...jobsOf('tenant', { group: size }));
      const start = size * 10_000;
      const counts: number[] = [];
      for (const ms of [0, 500, 501, 1_099, 1_100, 1_600, 1_601, 2_200]) {
        const limit = ms === 500 ? 2 : 1;
        counts.push((await claimAt(database, start + ms, ms > 600 ? 8 : limit)).length);
      }
      assert.deepEqual(counts, [1, 2, 0, 0, 1, 2, 0, 1], `${size} jobs`);
      await setGroup(database, { startsPerSecond: null });
      assert.equal((await claimAt(database, start + 2_201, 80)).length, size - 7);
    }
  },

  'a group whose limit is used up hides no job of other groups and tenants': async ({
    database,
  }) => {
    for (const size of [5, 80]) {
      await setGroup(database, { startsPerSecond: 1 });
      await enqueue(
        database,
        ...jobsOf('tenant', { group: size, other: size }, -1),
        ...jobsOf('z', { group: size }),
      );
      const start = size * 10_000;
      assert.deepEqual(lanesOf(await claimAt(database, start, 4)), [
        'tenant group',
        'z group',
        'tenant other',
        'z group',
      ]);
      const rest = lanesOf(await claimAt(database, start + 1, 4));
      assert.deepEqual(rest.sort(), ['tenant other', 'tenant other', 'z group', 'z group']);
      await setGroup(database, { startsPerSecond: null });
      await claimAt(database, start + 2, 3 * size);
    }
  },

  'many groups whose limits are used up hide no job of one that is behind them': async ({
    database,
  }) => {
    const groups = Array.from({ length: 90 }, (_, index) => `a${index}`);
    for (const group of groups) await setGroup(database, { startsPerSecond: 1 }, { group });
    await enqueue(database, ...groups.flatMap((group) => jobsOf('tenant', { [group]: 2 })));
    assert.equal((await claimAt(database, 0, 180)).length, 90);
    await enqueue(database, ...jobsOf('tenant', { z: 2 }));
    assert.deepEqual(lanesOf(await claimAt(database, 1, 8)), ['tenant z', 'tenant z']);
  },

  'parallel claims of several workers share the limit of a group': async (opened) => {
    const { database } = opened;
    await setGroup(database, { startsPerSecond: 10 });
    await enqueue(database, ...jobsOf('tenant', { group: 60 }, -1));
    const connections = connectionsOf(opened);
    const claims = Array.from({ length: 12 }, (_, index) =>
      claimAt(connections[index % connections.length] as Database, index % 3, 3, `w${index}`),
    );
    const given = (await Promise.all(claims)).flat();
    assert.ok(given.length <= 10, `${given.length} jobs`);
    const rest = await claimAt(database, 3, 60);
    assert.equal(given.length + rest.length, 10);
  },

  'the next time after another is when a group can be claimed from again': async ({ database }) => {
    const nextDueAt = (after?: Date) => database.kernel(database.reader).nextDueAt('test', after);
    await setGroup(database, { startsPerSecond: 1 });
    await enqueue(database, newJob(), newJob(), newJob({ dueAt: at(5_000) }));
    await claimAt(database, 0, 2);
    assert.deepEqual(await nextDueAt(), at(0), 'the job that waits is due');
    assert.deepEqual(await nextDueAt(at(0)), at(1_100));
    assert.deepEqual(await nextDueAt(at(1_100)), at(5_000));
  },

  'a limit that is changed holds at once, and counts what was claimed before': async ({
    database,
  }) => {
    await setGroup(database, { startsPerSecond: 2 });
    await enqueue(database, ...jobsOf('tenant', { group: 40 }));
    assert.equal((await claimAt(database, 0, 8)).length, 2);
    await setGroup(database, { startsPerSecond: 5 });
    assert.equal((await claimAt(database, 1, 8)).length, 3);
    await setGroup(database, { startsPerSecond: 1 });
    assert.equal((await claimAt(database, 1_100, 8)).length, 0);
    assert.equal((await claimAt(database, 1_101, 8)).length, 1);
  },

  'the limits of a removed tenant are removed': async ({ database }) => {
    await setGroup(database, { startsPerSecond: 1 }, { tenantId: 'leaving' });
    await enqueue(database, ...jobsOf('leaving', { group: 3 }));
    await claimAt(database, 0, 1);
    const nextDueAt = () => database.kernel(database.reader).nextDueAt('test', at(0));
    assert.deepEqual(await nextDueAt(), at(1_100));
    await database.transaction((session) => database.kernel(session).deleteTenant('leaving'));
    assert.deepEqual(await nextDueAt(), at(86_400_000), 'the end of the lease');
  },

  'of an ordered group one job at a time is claimed, by due time and event, however many are due':
    async ({ database }) => {
      await setGroup(database, { isOrdered: true });
      for (const size of [4, 60]) {
        const jobs = Array.from({ length: size }, (_, index) => {
          const eventId = `evt_${String(index % 2)}`;
          return newJob({ dueAt: at(Math.floor(index / 2)), payload: { eventId } });
        });
        await enqueue(database, ...[...jobs].reverse(), ...jobsOf('z', { other: 2 }));
        const order: string[] = [];
        for (let round = 0; round < size; round += 1) {
          const claimed = await claimAt(database, 1_000, 8, `w${round}`);
          const own = claimed.filter(({ group }) => group === 'group');
          assert.equal(own.length, 1);
          assert.equal((await claimAt(database, 1_000, 8)).length, 0, 'while it is in progress');
          order.push(own[0]?.id ?? '');
          await finish(database, claimed);
        }
        assert.deepEqual(
          order,
          jobs.map(({ id }) => id),
        );
      }
    },

  'a job of an ordered group that waits for its retry, or was abandoned, holds the later ones':
    async ({ database }) => {
      for (const size of [3, 60]) {
        await setGroup(database, { isOrdered: true });
        const start = size * 1_000;
        const jobs = Array.from({ length: size }, (_, index) => newJob({ dueAt: at(index) }));
        await enqueue(database, ...jobs, ...jobsOf('tenant', { other: size }));
        const ofGroup = async (ms: number) => {
          const claimed = await claim(database, 'w', {
            now: at(start + ms),
            leaseUntil: at(start + ms + 100),
            limit: 8,
            groupCapacity: (group) => (group === 'group' ? 8 : 0),
          });
          return claimed.map(({ id }) => id);
        };
        const [first, second] = jobs;
        assert.deepEqual(await ofGroup(0), [first?.id]);
        await database.transaction((session) =>
          database.kernel(session).rescheduleJob(first?.id ?? '', 'w', at(start + 500)),
        );
        assert.deepEqual(await ofGroup(499), []);
        assert.deepEqual(await ofGroup(500), [first?.id], 'the retry');
        assert.deepEqual(await ofGroup(599), []);
        assert.deepEqual(await ofGroup(600), [first?.id], 'after the end of the lease');
        await database.transaction((session) =>
          database.kernel(session).failJob(first?.id ?? '', 'w', {
            error: 'given up',
            failedAt: at(start),
            attempts: 3,
          }),
        );
        assert.deepEqual(await ofGroup(601), [second?.id]);
        await setGroup(database, { isOrdered: false });
        assert.equal((await ofGroup(602)).length, Math.min(8, size - 2), 'no longer ordered');
        await claimAt(database, start + 602, 200);
      }
    },

  'parallel claims of several workers keep the order of a group': async (opened) => {
    const { database } = opened;
    await setGroup(database, { isOrdered: true });
    const jobs = Array.from({ length: 30 }, (_, index) => newJob({ dueAt: at(index) }));
    await enqueue(database, ...jobs);
    const connections = connectionsOf(opened);
    const order: string[] = [];
    const work = async (worker: number) => {
      const connection = connections[worker % connections.length] as Database;
      while (order.length < jobs.length) {
        const claimed = await claimAt(connection, 1_000, 8, `w${worker}`);
        assert.ok(claimed.length <= 1);
        order.push(...claimed.map(({ id }) => id));
        await finish(connection, claimed);
      }
    };
    await Promise.all([0, 1, 2, 3].map(work));
    assert.deepEqual(
      order,
      jobs.map(({ id }) => id),
    );
  },

  'an ordered group keeps its limit, and one without a limit has none': async ({ database }) => {
    await setGroup(database, { isOrdered: true, startsPerSecond: 2 });
    await enqueue(database, ...jobsOf('tenant', { group: 20 }));
    const next = async (ms: number) => {
      const claimed = await claimAt(database, ms, 8);
      await finish(database, claimed);
      return claimed.length;
    };
    assert.deepEqual([await next(0), await next(1), await next(2)], [1, 1, 0]);
    assert.deepEqual([await next(1_100), await next(1_100)], [1, 0]);
    await setGroup(database, { isOrdered: true });
    assert.deepEqual([await next(1_100), await next(1_100)], [1, 1]);
  },

  'jobs that wait for the limit or the order of their group are not late while it is claimed from':
    async ({ database }) => {
      const oldest = () => database.kernel(database.reader).oldestDueAt('test');
      await setGroup(database, { startsPerSecond: 1 }, { group: 'limited' });
      await setGroup(database, { isOrdered: true }, { group: 'ordered' });
      await enqueue(database, ...jobsOf('tenant', { limited: 3, ordered: 3 }, 1));
      await enqueue(database, ...jobsOf('z', { group: 1 }, 50_000));
      assert.deepEqual(await oldest(), at(1), 'none was claimed');
      const first = await claimAt(database, 400, 8);
      assert.deepEqual(lanesOf(first).sort(), ['tenant limited', 'tenant ordered']);
      assert.deepEqual(await oldest(), at(400), 'the limit');
      await setGroup(database, {}, { group: 'limited' });
      assert.deepEqual(await oldest(), at(1), 'no limit');
      assert.equal((await claimAt(database, 500, 8)).length, 2);
      assert.deepEqual(
        await oldest(),
        at(50_000),
        'the job that the ordered ones wait for is in progress',
      );
      await finish(database, first);
      assert.deepEqual(await oldest(), at(400), 'it has ended');
      const [{ id, leaseToken } = assert.fail()] = await claimAt(database, 600, 8);
      await database.transaction((session) =>
        database.kernel(session).rescheduleJob(id, leaseToken, at(9_000), 'failed'),
      );
      assert.deepEqual(await oldest(), at(9_000), 'it waits for its retry');
    },

  'a clock that is set back delays a group with a limit by no more than a second': async ({
    database,
  }) => {
    await setGroup(database, { startsPerSecond: 1 });
    await enqueue(database, ...jobsOf('tenant', { group: 3 }));
    assert.equal((await claimAt(database, 3_600_000, 8)).length, 1);
    assert.equal((await claimAt(database, 0, 8)).length, 1);
  },
};

function setGroup(
  database: Database,
  rule: Partial<JobGroupRule>,
  given: Partial<JobGroup> = {},
): Promise<void> {
  const group = { queue: 'test', tenantId: 'tenant', group: 'group', ...given };
  return database.transaction(async (session) => {
    const kernel = database.kernel(session);
    await kernel.ensureTenant(group.tenantId);
    await kernel.setJobGroup(group, { startsPerSecond: null, isOrdered: false, ...rule });
  });
}

/** Finishes claimed jobs. */
function finish(database: Database, jobs: readonly LeasedJob[]): Promise<void> {
  return database.transaction(async (session) => {
    const kernel = database.kernel(session);
    await kernel.finishJobs(jobs);
  });
}

/** Claims for a day. */
function claimAt(database: Database, ms: number, limit: number, token = 'w'): Promise<LeasedJob[]> {
  const lease = { now: at(ms), leaseUntil: at(86_400_000) };
  return claim(database, token, { ...lease, limit, groupCapacity: () => 100 });
}

function jobsOf(tenantId: string, groups: Readonly<Record<string, number>>, ms = 0): NewJob[] {
  return Object.entries(groups).flatMap(([group, count]) =>
    Array.from({ length: count }, () => newJob({ tenantId, group, dueAt: at(ms) })),
  );
}

function lanesOf(jobs: readonly LeasedJob[]): string[] {
  return jobs.map(({ tenantId, group }) => `${tenantId} ${group}`);
}
