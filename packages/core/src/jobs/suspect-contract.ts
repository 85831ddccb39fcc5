import assert from 'node:assert/strict';
import type { Database } from '../storage/database.ts';
import type { ContractPromises } from '../testing/contract-target.ts';
import { at, claim, enqueue, newJob } from '../testing/records.ts';
import type { NewJob } from './storage.ts';
import type { Attempt, SuspectsInHand } from './suspects.ts';

/** Contract checks of which suspects a claim returns; see `SuspectLimits`. */
export const suspectPromises: ContractPromises = {
  'a claim returns at most one repeatedly abandoned job of a tenant, and hides no others': async ({
    database,
  }) => {
    await abandon(database, jobsOf('a', 60), 2);
    await enqueue(database, newJob({ tenantId: 'a', dueAt: at(3) }));
    const take = (token: string, ...inHand: Attempt[]) =>
      takeBeside(database, token, { inHand, limit: 3 });
    assert.deepEqual(await take('1', suspect('a')), ['a1']);
    assert.deepEqual([await take('2'), await take('3')], [['a3'], ['a3']]);
  },

  'tenants with repeatedly abandoned jobs begin one each, whatever those of others do': async ({
    database,
  }) => {
    for (const size of [3, 60]) {
      await abandon(database, [...jobsOf('a', size), ...jobsOf('b', size), ...jobsOf('c', 1)], 2);
      const take = (token: string, ...inHand: Attempt[]) =>
        takeBeside(database, token, { inHand, limit: 9 });
      assert.deepEqual(await take('1', suspect('a')), ['b3', 'c3']);
      assert.deepEqual(await take('2'), ['a3', 'b3']);
      const recentTenants = new Set<string>();
      const inHand = [suspect('a'), suspect('b')];
      const beside = await takeBeside(database, '3', { inHand, limit: 9, recentTenants });
      assert.deepEqual(beside, ['a3', 'b3'], 'those in progress began some time ago');
      while ((await take('rest')).length > 0);
    }
  },

  'a job that was abandoned often is claimed without other suspects, and none beside it': async ({
    database,
  }) => {
    for (const size of [1, 60]) {
      await abandon(database, jobsOf('a', size), 4);
      await abandon(database, [...jobsOf('b', size), ...jobsOf('c', size)], 2);
      await enqueue(database, newJob({ tenantId: 'd', dueAt: at(3) }));
      const take = (token: string, ...inHand: Attempt[]) =>
        takeBeside(database, token, { inHand, limit: 3, recentTenants: new Set() });
      assert.deepEqual(await take('1', suspect('d')), ['b3', 'c3', 'd1']);
      assert.deepEqual(await take('2', suspect('d', 5)), []);
      assert.deepEqual(await take('3'), ['a5']);
      while ((await take('rest')).length > 0);
    }
  },

  'after how many attempts a suspect is claimed without others is for the worker to say': async ({
    database,
  }) => {
    await abandon(database, [...jobsOf('a', 1), ...jobsOf('b', 1)], 2);
    const alone = { limit: 3, aloneAfterAttempts: 2 };
    const take = (token: string) => takeBeside(database, token, alone);
    assert.deepEqual([await take('1'), await take('2')], [['a3'], ['b3']]);
  },
};

function jobsOf(tenantId: string, count: number): NewJob[] {
  return Array.from({ length: count }, () => newJob({ tenantId, dueAt: at(-1) }));
}

/** A suspect of the tenant in progress. */
function suspect(tenantId: string, attempts = 3): Attempt {
  return { tenantId, attempts, isAbandoned: true };
}

/** Stores jobs and abandons so many attempts of each; all leases have ended at 10 ms. */
async function abandon(database: Database, jobs: NewJob[], attempts: number): Promise<void> {
  await enqueue(database, ...jobs);
  for (let ms = 0; ms < attempts; ms += 1) {
    const lease = { limit: jobs.length, now: at(ms), leaseUntil: at(ms + 1) };
    while ((await claim(database, 'dead', lease)).length > 0);
  }
}

/** Claims beside suspects; returns the tenant and the attempts of each job, in order. */
async function takeBeside(
  database: Database,
  token: string,
  given: {
    readonly limit: number;
    readonly inHand?: readonly Attempt[];
    readonly recentTenants?: ReadonlySet<string>;
    readonly aloneAfterAttempts?: number;
  },
): Promise<string[]> {
  const { limit, inHand = [], aloneAfterAttempts = 4 } = given;
  const recentTenants = given.recentTenants ?? new Set(inHand.map(({ tenantId }) => tenantId));
  const suspects: SuspectsInHand = { jobs: inHand, recentTenants, aloneAfterAttempts };
  const jobs = await claim(database, token, { now: at(10), limit, suspects });
  return jobs.map(({ tenantId, attempts }) => `${tenantId}${attempts}`).sort();
}
