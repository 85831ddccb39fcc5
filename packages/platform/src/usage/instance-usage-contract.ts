import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at } from '@probity/core/testing';
import type { PlatformStorage } from '../storage.ts';
import { withOrganization } from '../testing/contract-world.ts';
import type { PlatformPromises } from '../testing/targets.ts';
import type { InstanceMinute } from './types.ts';

const MINUTE_MS = 60_000;

function minuteOf(
  organizationId: string,
  index: number,
  given: Partial<InstanceMinute> = {},
): InstanceMinute {
  const instance = { organizationId, kind: 'gateway', instanceId: 'one' } as const;
  return { ...instance, minute: at(index * MINUTE_MS), scans: index, ...given };
}

function insert(storage: PlatformStorage, minutes: readonly InstanceMinute[]) {
  return storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertInstanceMinutes(minutes));
}

/** Contract checks of what instances report that they did, by test title. */
export const instanceUsagePromises: PlatformPromises = {
  'a minute of an instance is stored once, and its first report stands': withOrganization(
    async ({ storage, addOrganization }, organizationId) => {
      const [first, second] = [minuteOf(organizationId, 1), minuteOf(organizationId, 2)];
      assert.deepEqual(await insert(storage, [first]), [first]);
      const repeated = { ...first, scans: 99 };
      assert.deepEqual(await insert(storage, [repeated, second]), [second]);
      assert.deepEqual(await insert(storage, [first, second]), []);
      assert.deepEqual(await insert(storage, []), []);
      const others = [
        { ...first, instanceId: 'two' },
        { ...first, kind: 'sentinel' } as const,
        { ...first, organizationId: (await addOrganization()).id },
      ];
      for (const other of others) assert.deepEqual(await insert(storage, [other]), [other]);
    },
  ),

  'of parallel reports of the same minutes over all connections each minute is stored by one':
    withOrganization(async ({ storage, opened }, organizationId) => {
      const connections = [storage, opened.openAnotherStorage() ?? storage];
      const minutes = Array.from({ length: 40 }, (_, index) => minuteOf(organizationId, index));
      const added = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          insert(connections[index % 2] as PlatformStorage, minutes),
        ),
      );
      const times = added.flat().map(({ minute }) => minute.getTime());
      assert.equal(times.length, 40);
      assert.equal(new Set(times).size, 40);
    }),

  'minutes of a range are deleted in batches, of one instance or of all of its kind':
    withOrganization(async ({ storage, addOrganization }, organizationId) => {
      const minutes = [1, 2, 3, 4].map((index) => minuteOf(organizationId, index));
      const other = minuteOf(organizationId, 2, { instanceId: 'two' });
      const foreign = minuteOf((await addOrganization()).id, 2);
      const sentinel = minuteOf(organizationId, 2, { kind: 'sentinel' });
      await insert(storage, [...minutes, other, foreign, sentinel]);
      const [since, until] = [at(2 * MINUTE_MS), at(4 * MINUTE_MS)];
      const range = { organizationId, kind: 'gateway', since, until } as const;
      const remove = async (instanceId: string | null, limit: number) =>
        (
          await storage.transaction(OUTSIDE_REQUEST, (tx) =>
            tx.deleteInstanceMinutes({ ...range, instanceId }, limit),
          )
        ).map(({ scans, instanceId: name }) => `${name} ${scans}`);
      const deleted = [...(await remove('one', 1)), ...(await remove('one', 9))];
      assert.deepEqual(deleted.sort(), ['one 2', 'one 3']);
      assert.deepEqual(await remove(null, 9), ['two 2']);
      assert.deepEqual(await insert(storage, [foreign, sentinel]), []);
    }),

  'old minutes can be deleted in batches': withOrganization(async ({ storage }, organizationId) => {
    await insert(
      storage,
      [1, 2, 3, 4].map((index) => minuteOf(organizationId, index)),
    );
    const forget = (limit: number) =>
      storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.forgetInstanceMinutes(at(3 * MINUTE_MS), limit),
      );
    assert.deepEqual([await forget(1), await forget(9), await forget(9)], [1, 1, 0]);
    const left = minuteOf(organizationId, 3);
    assert.deepEqual(await insert(storage, [left]), []);
  }),

  'units that were used already are added to their month beyond any limit': withOrganization(
    async ({ storage }, organizationId) => {
      const unit = { organizationId, quota: 'gateway_scans', period: '2026-01' } as const;
      const add = (units: number) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.addUnits({ ...unit, units }));
      await add(3);
      await add(4);
      const taken = await storage.findTakenUnits(organizationId, '2026-01');
      assert.deepEqual(taken, { api_requests: 0, gateway_scans: 7 });
      const granted = await storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.takeUnits({ ...unit, units: 1, needed: 1 }, 5),
      );
      assert.equal(granted, 0);
    },
  ),
};
