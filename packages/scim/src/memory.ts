import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { createGroupOperations } from './groups/memory.ts';
import type { ScimStorage, StorageReads, StorageWrites } from './storage.ts';
import { createUserOperations } from './users/memory.ts';

/** The storage of users and groups in memory. */
export function createMemoryScimStorage(database: Database<MemorySession>): ScimStorage {
  return bindStorage<MemorySession, StorageReads, StorageWrites>(database, (session) => ({
    ...createUserOperations(session),
    ...createGroupOperations(session),
  }));
}
