import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { createAlertOperations } from './alerts/memory.ts';
import { createScanOperations } from './scans/memory.ts';
import type { GovernanceStorage, StorageReads, StorageWrites } from './storage.ts';

/** The storage of scans and alerts in memory. */
export function createMemoryGovernanceStorage(
  database: Database<MemorySession>,
): GovernanceStorage {
  return bindStorage<MemorySession, StorageReads, StorageWrites>(database, (session) => ({
    ...createScanOperations(session),
    ...createAlertOperations(session),
  }));
}
