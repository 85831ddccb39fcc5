import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { combineResources } from '@probity/core/internal';
import { createAlertOperations } from './alerts/memory.ts';
import { createMemoryBatchStorage } from './batches/memory.ts';
import { createMemoryPolicyStorage } from './policies/memory.ts';
import { createMemoryProtectedTextStorage } from './protected-texts/memory.ts';
import { createScanOperations } from './scans/memory.ts';
import { createMemoryUpkeepStorage } from './settings/memory.ts';
import type {
  GovernanceStorage,
  GovernanceStorages,
  StorageReads,
  StorageWrites,
} from './storage.ts';

const { bind, bindOnDemand } = combineResources(createScanOperations, createAlertOperations);

/** The storage of scans and alerts in memory. */
export function createMemoryGovernanceStorage(
  database: Database<MemorySession>,
): GovernanceStorage {
  return bindStorage<MemorySession, StorageReads, StorageWrites>(database, bind, bindOnDemand);
}

/** Everything that governance stores, on one database. */
export function createMemoryGovernanceStorages(
  database: Database<MemorySession>,
): GovernanceStorages {
  return {
    storage: createMemoryGovernanceStorage(database),
    policyStorage: createMemoryPolicyStorage(database),
    batchStorage: createMemoryBatchStorage(database),
    upkeepStorage: createMemoryUpkeepStorage(database),
    protectedTextStorage: createMemoryProtectedTextStorage(database),
  };
}
