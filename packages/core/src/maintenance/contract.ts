import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '../storage/database.ts';
import { at } from '../testing/records.ts';
import type { MaintenanceStorage } from './storage.ts';

/** The storage of maintenance on an empty database. */
export interface MaintenanceContractDatabase {
  readonly maintenance: MaintenanceStorage;
  /** Closes and removes the database. */
  dispose(): Promise<void>;
}

/** Target of the contract suite of maintenance. */
export interface MaintenanceContractTarget {
  readonly name: string;
  open(): Promise<MaintenanceContractDatabase>;
}

/** The contract of {@link MaintenanceStorage} as node:test suites. Every adapter must pass it. */
export function describeMaintenanceStorageContract(target: MaintenanceContractTarget): void {
  const withStorage = (work: (storage: MaintenanceStorage) => Promise<void>) => async () => {
    const { maintenance, dispose } = await target.open();
    await work(maintenance).finally(dispose);
  };
  const begin = (storage: MaintenanceStorage, ms: number) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.beginMaintenance(at(ms)));
  const end = (storage: MaintenanceStorage) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.endMaintenance());

  describe(`${target.name}: maintenance storage`, () => {
    test(
      'maintenance is off by default, and ending it then changes nothing',
      withStorage(async (storage) => {
        const never = { active: false, beganAt: null };
        assert.deepEqual(await storage.readMaintenance(), never);
        await end(storage);
        assert.deepEqual(await storage.readMaintenance(), never);
      }),
    );

    test(
      'the start time of maintenance is kept while it is on and after it ends',
      withStorage(async (storage) => {
        await begin(storage, 1);
        await begin(storage, 2);
        assert.deepEqual(await storage.readMaintenance(), { active: true, beganAt: at(1) });
        await end(storage);
        await end(storage);
        assert.deepEqual(await storage.readMaintenance(), { active: false, beganAt: at(1) });
        await begin(storage, 3);
        assert.deepEqual(await storage.readMaintenance(), { active: true, beganAt: at(3) });
      }),
    );

    test(
      'of parallel starts of maintenance only one takes effect',
      withStorage(async (storage) => {
        await Promise.all([1, 2, 3, 4].map((ms) => begin(storage, ms)));
        const { active, beganAt } = await storage.readMaintenance();
        assert.ok(active);
        await begin(storage, 9);
        assert.deepEqual((await storage.readMaintenance()).beganAt, beganAt);
      }),
    );
  });
}
