import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at } from '@probity/core/testing';
import type { PlatformStorage } from '../organizations/storage.ts';
import { newMember, newOrganization } from '../testing/records.ts';
import type { UsageStorage } from './storage.ts';
import type { RuntimeInstance, UnitsWish } from './types.ts';
import { grantedUnits } from './types.ts';

/** The storage of usage on an empty database. */
export interface UsageContractDatabase {
  readonly platform: PlatformStorage;
  readonly usage: UsageStorage;
  /** The same on a second connection, as another process would have it; null where there is none. */
  openAnother(): UsageStorage | null;
  /** Closes and removes the database. */
  dispose(): Promise<void>;
}

/** What the contract suite of usage runs on. */
export interface UsageContractTarget {
  readonly name: string;
  open(): Promise<UsageContractDatabase>;
}

type Work = (opened: UsageContractDatabase, organizationId: string) => Promise<void>;
type WithOrganization = (work: Work) => () => Promise<void>;

/** The contract of {@link UsageStorage} as node:test suites. Every adapter must pass it. */
export function describeUsageStorageContract(target: UsageContractTarget): void {
  const withOrganization: WithOrganization = (work) => async () => {
    const opened = await target.open();
    const run = async () => work(opened, await insertOrganization(opened.platform));
    await run().finally(opened.dispose);
  };
  describe(`${target.name}: usage storage`, () => {
    describeTaking(withOrganization);
    describeParallelTaking(withOrganization);
    describeInstances(withOrganization);
    describeStoredBytes(withOrganization);
  });
}

async function insertOrganization(platform: PlatformStorage): Promise<string> {
  const organization = newOrganization();
  await platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(organization));
  return organization.id;
}

function take(
  usage: UsageStorage,
  organizationId: string,
  units: number,
  limit: number,
  given: Partial<UnitsWish> = {},
): Promise<number> {
  const quota = 'api_requests' as const;
  const wish = { organizationId, quota, period: '2026-01', units, needed: 1, ...given };
  return usage.transaction(OUTSIDE_REQUEST, (tx) => tx.takeUnits(wish, limit));
}

function describeTaking(withOrganization: WithOrganization): void {
  test(
    'what is wished for is given while plenty is left, then less and less, to the last unit',
    withOrganization(async ({ usage }, organizationId) => {
      const given: number[] = [];
      for (let units = -1; units !== 0; given.push(units)) {
        units = await take(usage, organizationId, 10, 180);
      }
      assert.deepEqual(given.slice(0, 4), [10, 10, 10, 9]);
      assert.deepEqual(given.slice(-17), [...Array.from({ length: 16 }, () => 1), 0]);
      assert.equal(
        given.reduce((total, units) => total + units, 0),
        180,
      );
      const taken = await usage.findTakenUnits(organizationId, '2026-01');
      assert.deepEqual(taken, { api_requests: 180, gateway_scans: 0 });
    }),
  );

  test(
    'what is needed is given as far as there is any, whatever is left',
    withOrganization(async ({ usage }, organizationId) => {
      const given: number[] = [];
      for (const needed of [1, 30, 2, 40, 200]) {
        const left = 200 - given.reduce((total, units) => total + units, 0);
        const wish = { units: Math.max(needed, 20), needed };
        const units = await take(usage, organizationId, wish.units, 200, wish);
        const unit = { organizationId, quota: 'api_requests', period: '2026-01' } as const;
        assert.equal(units, grantedUnits({ ...unit, ...wish }, left), `${needed} of ${left}`);
        given.push(units);
      }
      assert.deepEqual(given, [12, 30, 9, 40, 109]);
    }),
  );

  test(
    'a wish for all of an untouched quota is given a part, of a quota of one the one',
    withOrganization(async ({ usage }, organizationId) => {
      assert.equal(await take(usage, organizationId, 1_000, 1_000), 62);
      const other = { quota: 'gateway_scans' } as const;
      assert.equal(await take(usage, organizationId, 1, 1, other), 1);
      assert.equal(await take(usage, organizationId, 1, 1, other), 0);
    }),
  );

  test(
    'months, quotas and organizations are counted apart',
    withOrganization(async ({ usage, platform }, organizationId) => {
      const other = await insertOrganization(platform);
      await take(usage, organizationId, 1, 100);
      await take(usage, organizationId, 2, 100, { quota: 'gateway_scans' });
      await take(usage, organizationId, 3, 100, { period: '2026-02' });
      await take(usage, other, 4, 100);
      const read = (id: string, period: string) => usage.findTakenUnits(id, period);
      assert.deepEqual(await read(organizationId, '2026-01'), {
        api_requests: 1,
        gateway_scans: 2,
      });
      assert.deepEqual(await read(organizationId, '2026-02'), {
        api_requests: 3,
        gateway_scans: 0,
      });
      assert.equal((await read(other, '2026-01')).api_requests, 4);
      assert.deepEqual(await read(other, '2026-03'), { api_requests: 0, gateway_scans: 0 });
    }),
  );

  test(
    'what is given back can be taken again; a lower limit gives nothing more',
    withOrganization(async ({ usage }, organizationId) => {
      const units = await take(usage, organizationId, 10, 100, { needed: 10 });
      const unspent = { organizationId, quota: 'api_requests', period: '2026-01' } as const;
      await usage.transaction(OUTSIDE_REQUEST, (tx) => tx.giveBackUnits({ ...unspent, units: 4 }));
      const taken = await usage.findTakenUnits(organizationId, '2026-01');
      assert.equal(taken.api_requests, units - 4);
      assert.equal(await take(usage, organizationId, 1, 6), 0);
      assert.equal(await take(usage, organizationId, 1, 7), 1);
    }),
  );
}

function describeParallelTaking(withOrganization: WithOrganization): void {
  test(
    'parallel takers over all connections get the limit together, and not one unit more',
    withOrganization(async ({ usage, openAnother }, organizationId) => {
      const connections = [usage, openAnother() ?? usage];
      const limit = 97;
      const takeAll = async (connection: UsageStorage) => {
        let total = 0;
        for (let units = -1; units !== 0; ) {
          units = await take(connection, organizationId, 5, limit);
          total += units;
        }
        return total;
      };
      const takers = Array.from({ length: 6 }, (_, index) =>
        takeAll(connections[index % 2] as UsageStorage),
      );
      const totals = await Promise.all(takers);
      assert.equal(
        totals.reduce((sum, total) => sum + total, 0),
        limit,
      );
      const taken = await usage.findTakenUnits(organizationId, '2026-01');
      assert.equal(taken.api_requests, limit);
    }),
  );
}

function describeInstances(withOrganization: WithOrganization): void {
  const instance = (organizationId: string, given: Partial<RuntimeInstance> = {}) => ({
    organizationId,
    kind: 'gateway' as const,
    instanceId: 'one',
    version: '1.0.0',
    firstSeen: at(1),
    lastSeen: at(10),
    ...given,
  });

  test(
    'an instance is known by organization, kind and id, and replaced as a whole',
    withOrganization(async ({ usage }, organizationId) => {
      const first = instance(organizationId);
      const second = { ...first, version: '2.0.0', firstSeen: at(5), lastSeen: at(20) };
      await usage.transaction(OUTSIDE_REQUEST, (tx) => tx.putInstance(first));
      assert.deepEqual(await usage.findInstance(first), first);
      await usage.transaction(OUTSIDE_REQUEST, (tx) => tx.putInstance(second));
      assert.deepEqual(await usage.findInstance(first), second);
      assert.equal(await usage.findInstance({ ...first, kind: 'sentinel' }), null);
      assert.equal(await usage.findInstance({ ...first, instanceId: 'other' }), null);
    }),
  );

  test(
    'instances seen after a moment are counted by kind; older ones can be forgotten',
    withOrganization(async ({ usage, platform }, organizationId) => {
      const other = await insertOrganization(platform);
      await usage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.putInstance(instance(organizationId, { lastSeen: at(10) }));
        await tx.putInstance(instance(organizationId, { instanceId: 'two', lastSeen: at(20) }));
        await tx.putInstance(instance(organizationId, { kind: 'sentinel', lastSeen: at(30) }));
        await tx.putInstance(instance(other, { lastSeen: at(30) }));
      });
      const count = (ms: number) => usage.countInstances(organizationId, at(ms));
      assert.deepEqual(await count(9), { gateway: 2, sentinel: 1 });
      assert.deepEqual(await count(10), { gateway: 1, sentinel: 1 });
      assert.deepEqual(await count(30), { gateway: 0, sentinel: 0 });
      const forget = (ms: number, limit: number) =>
        usage.transaction(OUTSIDE_REQUEST, (tx) => tx.forgetInstances(at(ms), limit));
      assert.deepEqual([await forget(20, 9), await forget(20, 9)], [1, 0]);
      assert.deepEqual(await count(0), { gateway: 1, sentinel: 1 });
      assert.deepEqual(await usage.countInstances(other, at(0)), { gateway: 1, sentinel: 0 });
    }),
  );
}

function describeStoredBytes(withOrganization: WithOrganization): void {
  test(
    'stored bytes grow with what is stored of the organization, and with nothing else',
    withOrganization(async ({ usage, platform }, organizationId) => {
      const other = await insertOrganization(platform);
      const insert = (id: string, name: string) =>
        platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertMember(newMember(id, { name })));
      const before = await usage.estimateStoredBytes(organizationId);
      await insert(organizationId, 'x'.repeat(10_000));
      const after = await usage.estimateStoredBytes(organizationId);
      assert.ok(after - before >= 10_000 && after - before < 11_000, `${before} ${after}`);
      await insert(other, 'y'.repeat(10_000));
      assert.equal(await usage.estimateStoredBytes(organizationId), after);
    }),
  );

  test(
    'of many rows a sample is measured, and the estimate is near the sum',
    withOrganization(async ({ usage, platform }, organizationId) => {
      await platform.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (let index = 0; index < 500; index += 1) {
          await tx.insertMember(newMember(organizationId, { name: 'x'.repeat(1_000) }));
        }
      });
      const bytes = await usage.estimateStoredBytes(organizationId);
      assert.ok(bytes > 500_000 && bytes < 700_000, `${bytes}`);
    }),
  );
}
