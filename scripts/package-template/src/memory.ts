import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import type { SampleStorage, StorageReads, StorageWrites } from './storage.ts';
import { createThingOperations } from './things/memory.ts';

/** Creates the in-memory storage of ~things~. */
export function createMemorySampleStorage(database: Database<MemorySession>): SampleStorage {
  return bindStorage<MemorySession, StorageReads, StorageWrites>(database, createThingOperations);
}
