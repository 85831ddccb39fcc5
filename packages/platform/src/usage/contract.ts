import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at } from '@probity/core/testing';
import type { PlatformStorage } from '../storage.ts';
import { withOrganization } from '../testing/contract-world.ts';
import { newMember } from '../testing/records.ts';
import type { PlatformPromises } from '../testing/targets.ts';
import type { LeaseRequest, RuntimeInstance } from './types.ts';
import { grantedUnits } from './types.ts';

function instance(organizationId: string, given: Partial<RuntimeInstance> = {}): RuntimeInstance {
  return {
    organizationId,
    kind: 'gateway',
    instanceId: 'one',
    version: '1.0.0',
    firstSeen: at(1),
    lastSeen: at(10),
    ...given,
  };
}

/** Contract checks of quota leases, instances and stored bytes, by test title. */
export const usagePromises: PlatformPromises = {
  'a quota lease is granted in full while plenty is left, then less and less, to the last unit':
    withOrganization(async ({ storage }, organizationId) => {
      const given: number[] = [];
      for (let units = -1; units !== 0; given.push(units)) {
        units = await take(storage, organizationId, 10, 180);
      }
      assert.deepEqual(given.slice(0, 4), [10, 10, 10, 9]);
      assert.deepEqual(given.slice(-17), [...Array.from({ length: 16 }, () => 1), 0]);
      assert.equal(
        given.reduce((total, units) => total + units, 0),
        180,
      );
      const taken = await storage.findTakenUnits(organizationId, '2026-01');
      assert.deepEqual(taken, { api_requests: 180, gateway_scans: 0 });
    }),

  'quota units that calls wait for are granted as long as any are left': withOrganization(
    async ({ storage }, organizationId) => {
      const given: number[] = [];
      for (const needed of [1, 30, 2, 40, 200]) {
        const left = 200 - given.reduce((total, units) => total + units, 0);
        const request = { units: Math.max(needed, 20), needed };
        const units = await take(storage, organizationId, request.units, 200, request);
        const unit = { organizationId, quota: 'api_requests', period: '2026-01' } as const;
        assert.equal(units, grantedUnits({ ...unit, ...request }, left), `${needed} of ${left}`);
        given.push(units);
      }
      assert.deepEqual(given, [12, 30, 9, 40, 109]);
    },
  ),

  'a lease request for an entire unused quota is granted a share; for a quota of one, the one':
    withOrganization(async ({ storage }, organizationId) => {
      assert.equal(await take(storage, organizationId, 1_000, 1_000), 62);
      const other = { quota: 'gateway_scans' } as const;
      assert.equal(await take(storage, organizationId, 1, 1, other), 1);
      assert.equal(await take(storage, organizationId, 1, 1, other), 0);
    }),

  'quota units are counted separately by month, quota and organization': withOrganization(
    async ({ storage, addOrganization }, organizationId) => {
      const other = (await addOrganization()).id;
      await take(storage, organizationId, 1, 100);
      await take(storage, organizationId, 2, 100, { quota: 'gateway_scans' });
      await take(storage, organizationId, 3, 100, { period: '2026-02' });
      await take(storage, other, 4, 100);
      const read = (id: string, period: string) => storage.findTakenUnits(id, period);
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
    },
  ),

  'returned quota units can be leased again; a lower limit grants nothing more': withOrganization(
    async ({ storage }, organizationId) => {
      const units = await take(storage, organizationId, 10, 100, { needed: 10 });
      const unspent = { organizationId, quota: 'api_requests', period: '2026-01' } as const;
      await storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.giveBackUnits({ ...unspent, units: 4 }),
      );
      const taken = await storage.findTakenUnits(organizationId, '2026-01');
      assert.equal(taken.api_requests, units - 4);
      assert.equal(await take(storage, organizationId, 1, 6), 0);
      assert.equal(await take(storage, organizationId, 1, 7), 1);
    },
  ),

  'parallel quota leases over all connections add up to exactly the limit': withOrganization(
    async ({ storage, opened }, organizationId) => {
      const connections = [storage, opened.openAnotherStorage() ?? storage];
      const limit = 97;
      const takeAll = async (connection: PlatformStorage) => {
        let total = 0;
        for (let units = -1; units !== 0; ) {
          units = await take(connection, organizationId, 5, limit);
          total += units;
        }
        return total;
      };
      const takers = Array.from({ length: 6 }, (_, index) =>
        takeAll(connections[index % 2] as PlatformStorage),
      );
      const totals = await Promise.all(takers);
      assert.equal(
        totals.reduce((sum, total) => sum + total, 0),
        limit,
      );
      const taken = await storage.findTakenUnits(organizationId, '2026-01');
      assert.equal(taken.api_requests, limit);
    },
  ),

  'an instance is identified by organization, kind and id, and replaced as a whole':
    withOrganization(async ({ storage }, organizationId) => {
      const first = instance(organizationId);
      const second = { ...first, version: '2.0.0', firstSeen: at(5), lastSeen: at(20) };
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.putInstance(first));
      assert.deepEqual(await storage.findInstance(first), first);
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.putInstance(second));
      assert.deepEqual(await storage.findInstance(first), second);
      assert.equal(await storage.findInstance({ ...first, kind: 'sentinel' }), null);
      assert.equal(await storage.findInstance({ ...first, instanceId: 'other' }), null);
    }),

  'instances seen after a moment are counted by kind; older ones can be deleted': withOrganization(
    async ({ storage, addOrganization }, organizationId) => {
      const other = (await addOrganization()).id;
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.putInstance(instance(organizationId, { lastSeen: at(10) }));
        await tx.putInstance(instance(organizationId, { instanceId: 'two', lastSeen: at(20) }));
        await tx.putInstance(instance(organizationId, { kind: 'sentinel', lastSeen: at(30) }));
        await tx.putInstance(instance(other, { lastSeen: at(30) }));
      });
      const count = (ms: number) => storage.countInstances(organizationId, at(ms));
      assert.deepEqual(await count(9), { gateway: 2, sentinel: 1 });
      assert.deepEqual(await count(10), { gateway: 1, sentinel: 1 });
      assert.deepEqual(await count(30), { gateway: 0, sentinel: 0 });
      const forget = (ms: number, limit: number) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.forgetInstances(at(ms), limit));
      assert.deepEqual([await forget(20, 9), await forget(20, 9)], [1, 0]);
      assert.deepEqual(await count(0), { gateway: 1, sentinel: 1 });
      assert.deepEqual(await storage.countInstances(other, at(0)), { gateway: 1, sentinel: 0 });
    },
  ),

  'stored bytes grow with the data of the organization only': withOrganization(
    async ({ storage, addOrganization }, organizationId) => {
      const other = (await addOrganization()).id;
      const insert = (id: string, name: string) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertMember(newMember(id, { name })));
      const { bytes: before } = await storage.estimateStoredBytes(organizationId);
      await insert(organizationId, 'x'.repeat(10_000));
      const { bytes: after } = await storage.estimateStoredBytes(organizationId);
      assert.ok(after - before >= 10_000 && after - before < 11_000, `${before} ${after}`);
      await insert(other, 'y'.repeat(10_000));
      assert.equal((await storage.estimateStoredBytes(organizationId)).bytes, after);
    },
  ),

  'stored bytes of large tables are estimated from a sample, close to the exact sum':
    withOrganization(async ({ storage }, organizationId) => {
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (let index = 0; index < 500; index += 1) {
          await tx.insertMember(newMember(organizationId, { name: 'x'.repeat(1_000) }));
        }
      });
      const { bytes, rows } = await storage.estimateStoredBytes(organizationId);
      assert.ok(rows >= 500 && rows < 510, `${rows}`);
      assert.ok(bytes > 500_000 && bytes < 700_000, `${bytes}`);
    }),
};

function take(
  storage: PlatformStorage,
  organizationId: string,
  units: number,
  limit: number,
  given: Partial<LeaseRequest> = {},
): Promise<number> {
  const quota = 'api_requests' as const;
  const request = { organizationId, quota, period: '2026-01', units, needed: 1, ...given };
  return storage.transaction(OUTSIDE_REQUEST, (tx) => tx.takeUnits(request, limit));
}
