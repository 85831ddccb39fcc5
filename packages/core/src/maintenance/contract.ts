import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '../storage/database.ts';
import { at } from '../testing/records.ts';
import type { OpenedStorage, PromiseCheck, StorageTarget } from '../testing/storage-contract.ts';
import { describeStorage } from '../testing/storage-contract.ts';
import type { MaintenanceStorage } from './storage.ts';

type Opened = OpenedStorage<MaintenanceStorage>;

/** The contract of {@link MaintenanceStorage} as tests for `node:test`, for any adapter to pass. */
export function describeMaintenanceStorageContract(
  target: StorageTarget<MaintenanceStorage>,
): void {
  describeStorage(target, maintenancePromises);
}

const maintenancePromises: Readonly<Record<string, PromiseCheck<MaintenanceStorage>>> = {
  'maintenance is off by default, and ending it then changes nothing': isOff,
  'the start time of maintenance is kept while it is on and after it ends': keepsItsStart,
  'of parallel starts of maintenance only one takes effect': startsOnce,
};

function begin(storage: MaintenanceStorage, ms: number): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, (tx) => tx.beginMaintenance(at(ms)));
}

function end(storage: MaintenanceStorage): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, (tx) => tx.endMaintenance());
}

async function isOff({ storage }: Opened): Promise<void> {
  const never = { active: false, beganAt: null };
  assert.deepEqual(await storage.readMaintenance(), never);
  await end(storage);
  assert.deepEqual(await storage.readMaintenance(), never);
}

async function keepsItsStart({ storage }: Opened): Promise<void> {
  await begin(storage, 1);
  await begin(storage, 2);
  assert.deepEqual(await storage.readMaintenance(), { active: true, beganAt: at(1) });
  await end(storage);
  await end(storage);
  assert.deepEqual(await storage.readMaintenance(), { active: false, beganAt: at(1) });
  await begin(storage, 3);
  assert.deepEqual(await storage.readMaintenance(), { active: true, beganAt: at(3) });
}

async function startsOnce({ storage }: Opened): Promise<void> {
  await Promise.all([1, 2, 3, 4].map((ms) => begin(storage, ms)));
  const { active, beganAt } = await storage.readMaintenance();
  assert.ok(active);
  await begin(storage, 9);
  assert.deepEqual((await storage.readMaintenance()).beganAt, beganAt);
}
