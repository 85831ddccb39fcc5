import assert from 'node:assert/strict';
import type { Database } from '../storage/database.ts';
import type { ContractPromises } from '../testing/contract-target.ts';
import { connectionsOf } from '../testing/contract-target.ts';
import { at, claim, enqueue, newJob } from '../testing/records.ts';
import type { ClaimTurns, LeasedJob, NewJob } from './storage.ts';

/** Contract checks of turns: whose jobs a claim returns when more are due than it wants. */
export const fairnessPromises: ContractPromises = {
  'tenants take turns in a claim, and the groups of a tenant take its turns in turn': async ({
    database,
  }) => {
    await enqueue(
      database,
      ...jobsOf('a', { x: 3, y: 3 }),
      ...jobsOf('b', { x: 1 }),
      ...jobsOf('c', { x: 1, y: 1, z: 1 }),
    );
    const jobs = await claim(database, 'w', { limit: 8 });
    assert.deepEqual(lanesOf(jobs), ['ax', 'bx', 'cx', 'ay', 'cy', 'ax', 'cz', 'ay']);
  },

  'the same turns are taken when more jobs are due than a claim reads': async ({ database }) => {
    await enqueue(
      database,
      ...jobsOf('a', { x: 40, y: 40 }, -5),
      ...jobsOf('b', { x: 1 }),
      ...jobsOf('c', { x: 1, y: 1, z: 1 }),
    );
    const jobs = await claim(database, 'w', { limit: 8 });
    assert.deepEqual(lanesOf(jobs), ['ax', 'bx', 'cx', 'ay', 'cy', 'ax', 'cz', 'ay']);
  },

  'within a group the oldest due job is first, ties by id, however many are due': async ({
    database,
  }) => {
    const ids = Array.from({ length: 60 }, (_, index) => `job_${String(index).padStart(2, '0')}`);
    const jobs = ids.map((id, index) => newJob({ id, dueAt: at(-Math.floor(index / 30)) }));
    await enqueue(database, ...jobs.reverse());
    const taken: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      taken.push(...(await claim(database, 'w', { limit: 3 })).map(({ id }) => id));
    }
    assert.deepEqual(taken, [...ids.slice(30), ...ids.slice(0, 30)]);
  },

  'a claim continues after the tenant and the group of the last turn, and with the first after the last':
    async ({ database }) => {
      for (const size of [2, 40]) {
        const jobs = ['a', 'b', 'c'].flatMap((tenant) => jobsOf(tenant, { x: size, y: size }));
        await enqueue(database, ...jobs);
        const one = async (turns: ClaimTurns) =>
          lanesOf(await claim(database, 'w', { limit: 1, turns, now: at(10) }));
        assert.deepEqual(await one(turnsAfter('a', { a: 'y', b: 'x' })), ['by']);
        assert.deepEqual(await one(turnsAfter('b', { c: 'y' })), ['cx']);
        assert.deepEqual(await one(turnsAfter('c', { a: 'x' })), ['ay']);
        assert.deepEqual(await one(turnsAfter('bb', {})), ['cx']);
        assert.deepEqual(await one(turnsAfter(null, {})), ['ax']);
        await claimAll(database);
      }
    },

  'a tenant with one due job is not behind the many older ones of another': async ({
    database,
  }) => {
    await enqueue(database, ...jobsOf('greedy', { x: 300 }, -1_000), ...jobsOf('late', { x: 1 }));
    const jobs = await claim(database, 'w', { limit: 4 });
    assert.deepEqual(lanesOf(jobs), ['greedyx', 'latex', 'greedyx', 'greedyx']);
  },

  'a claim names tenants whose groups are all full, and leaves out those that it is given': async ({
    database,
  }) => {
    await enqueue(database, ...jobsOf('a', { x: 40, y: 2 }), ...jobsOf('b', { x: 40, y: 2 }));
    const full: Array<string | null> = [];
    const first = await claim(database, 'w', {
      limit: 3,
      groupCapacity: (group, tenantId) => (tenantId === 'a' || group === 'x' ? 0 : 2),
      onFull: (tenantId) => full.push(tenantId),
    });
    assert.deepEqual(lanesOf(first), ['by', 'by']);
    assert.ok(full.includes('a'));
    const second = await claim(database, 'w', { limit: 3, passedOver: new Set(['a']) });
    assert.deepEqual(lanesOf(second), ['bx', 'bx', 'bx']);
    await claimAll(database);
    await enqueue(database, ...jobsOf('a', { x: 1 }), ...jobsOf('b', { x: 1 }));
    const few = await claim(database, 'w', { passedOver: new Set(['a']), now: at(10) });
    assert.deepEqual(lanesOf(few), ['bx']);
  },

  'a claim returns no more jobs of a tenant than its capacity, given those of others': async ({
    database,
  }) => {
    for (const size of [10, 60]) {
      await enqueue(database, ...jobsOf('a', { x: size }), ...jobsOf('b', { x: size }));
      const tenantCapacity = (tenantId: string | null, ofOthers: number) =>
        tenantId === 'a' ? 0 : 5 - ofOthers;
      const jobs = await claim(database, 'w', { limit: 9, tenantCapacity });
      assert.deepEqual(lanesOf(jobs), ['bx', 'bx', 'bx', 'bx', 'bx']);
      const shared = await claim(database, 'w', {
        limit: 9,
        tenantCapacity: (_, ofOthers) => 6 - 2 * ofOthers,
      });
      assert.deepEqual(lanesOf(shared), ['ax', 'bx', 'ax', 'bx']);
      await claimAll(database);
    }
  },

  'groups of one name are separate groups of each tenant': async ({ database }) => {
    for (const size of [10, 60]) {
      await enqueue(database, ...jobsOf('a', { x: size }), ...jobsOf('b', { x: size }));
      const groupCapacity = (_group: string, tenantId: string | null) => (tenantId === 'a' ? 1 : 2);
      const jobs = await claim(database, 'w', { limit: 9, groupCapacity });
      assert.deepEqual(lanesOf(jobs), ['ax', 'bx', 'bx']);
      await claimAll(database);
    }
  },

  'jobs of the installation take turns like those of a tenant': async ({ database }) => {
    const ofNone = Array.from({ length: 40 }, () => newJob({ tenantId: null, group: 'x' }));
    await enqueue(database, ...ofNone, ...jobsOf('a', { x: 40 }));
    const jobs = await claim(database, 'w', { limit: 4 });
    assert.deepEqual(lanesOf(jobs), ['x', 'ax', 'x', 'ax']);
    const next = await claim(database, 'w', { limit: 1, turns: turnsAfter(null, {}) });
    assert.deepEqual(lanesOf(next), ['ax']);
  },

  'places that a tenant or a group cannot use go to the others': async ({ database }) => {
    const groups = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`g${index}`, 2]));
    await enqueue(database, ...jobsOf('a', { x: 1 }), ...jobsOf('b', groups));
    const groupCapacity = (group: string) => (group < 'g5' || group === 'x' ? 1 : 2);
    const jobs = await claim(database, 'w', { limit: 30, groupCapacity });
    assert.equal(jobs.length, 30);
    assert.equal(new Set(lanesOf(jobs)).size, 30);
    const shut = (group: string) => (group === 'g89' ? 2 : 0);
    assert.deepEqual(lanesOf(await claim(database, 'w', { groupCapacity: shut })), [
      'bg89',
      'bg89',
    ]);
  },

  'jobs that are not due take no turn': async ({ database }) => {
    await enqueue(
      database,
      ...jobsOf('a', { x: 30 }, 1),
      ...jobsOf('b', { x: 30 }),
      ...jobsOf('b', { w: 30 }, 1),
    );
    assert.deepEqual(lanesOf(await claim(database, 'w', { limit: 2 })), ['bx', 'bx']);
  },

  'suspects in the backlog of a group hide none of its other jobs': async ({ database }) => {
    await enqueue(database, ...jobsOf('a', { x: 30 }, -1));
    for (const [claims, now] of [
      [1, 0],
      [1, 1],
      [1, 2],
    ] as const) {
      const lease = { now: at(now), leaseUntil: at(now + 1), limit: 30 * claims };
      await claim(database, 'dead', lease);
    }
    await enqueue(database, ...jobsOf('a', { x: 30 }, 5));
    const jobs = await claim(database, 'w', { now: at(6), limit: 4 });
    assert.deepEqual(
      jobs.map(({ isAbandoned }) => isAbandoned),
      [true, false, false, false],
    );
    const suspects = { jobs: [], recentTenants: new Set(['a']), aloneAfterAttempts: 4 };
    const others = await claim(database, 'w', { now: at(6), limit: 4, suspects });
    assert.ok(others.length === 4 && others.every(({ isAbandoned }) => !isAbandoned));
  },

  'parallel claims from a backlog of several tenants get different jobs, and together all of them':
    async (opened) => {
      const tenants = ['a', 'b', 'c', 'd', 'e'];
      const jobs = tenants.flatMap((tenant) => jobsOf(tenant, { x: 15, y: 15, z: 15 }));
      await enqueue(opened.database, ...jobs);
      const connections = connectionsOf(opened);
      const claimers = Array.from({ length: 6 }, (_, index) =>
        claimAll(connections[index % connections.length] as Database, `worker${index}`),
      );
      const given = (await Promise.all(claimers)).flat();
      assert.deepEqual(given.map(({ id }) => id).sort(), jobs.map(({ id }) => id).sort());
    },
};

/** Jobs of a tenant: how many of each group, due `ms` after the start. */
function jobsOf(tenantId: string, groups: Readonly<Record<string, number>>, ms = 0): NewJob[] {
  return Object.entries(groups).flatMap(([group, count]) =>
    Array.from({ length: count }, () => newJob({ tenantId, group, dueAt: at(ms) })),
  );
}

function lanesOf(jobs: readonly LeasedJob[]): string[] {
  return jobs.map(({ tenantId, group }) => `${tenantId ?? ''}${group}`);
}

function turnsAfter(tenantId: string | null, groups: Readonly<Record<string, string>>): ClaimTurns {
  return { tenantId, groupOf: (tenant) => (tenant === null ? undefined : groups[tenant]) };
}

/** Claims until no due job is unleased; an empty claim may only mean that others hold them. */
async function claimAll(database: Database, token = 'rest'): Promise<LeasedJob[]> {
  const given: LeasedJob[] = [];
  for (;;) {
    const lease = { now: at(10), leaseUntil: at(60_000) };
    given.push(...(await claim(database, token, { limit: 7, ...lease })));
    const next = await database.kernel(database.reader).nextDueAt('test');
    if (next === null || next > at(10)) return given;
  }
}
