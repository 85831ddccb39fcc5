import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { createIntegrationOperations } from './integrations/memory.ts';
import type { IntegrationsStorage, StorageReads, StorageWrites } from './storage.ts';

/** Creates the in-memory storage of integrations. */
export function createMemoryIntegrationsStorage(
  database: Database<MemorySession>,
): IntegrationsStorage {
  return bindStorage<MemorySession, StorageReads, StorageWrites>(
    database,
    createIntegrationOperations,
  );
}
