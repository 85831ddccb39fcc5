import { describeMaintenanceStorageContract } from '../../src/maintenance/contract.ts';
import { createMemoryMaintenanceStorage } from '../../src/maintenance/memory.ts';
import { createSqlMaintenanceStorage } from '../../src/maintenance/sql.ts';
import type { MaintenanceStorage } from '../../src/maintenance/storage.ts';
import { storageTargets } from '../../src/testing/storage-contract.ts';
import type { TestDatabase } from '../../src/testing/targets.ts';
import { targets } from '../support.ts';

for (const target of storageTargets(targets, storageOn)) describeMaintenanceStorageContract(target);

function storageOn(opened: TestDatabase): MaintenanceStorage {
  return opened.kind === 'sql'
    ? createSqlMaintenanceStorage(opened.database)
    : createMemoryMaintenanceStorage(opened.database);
}
