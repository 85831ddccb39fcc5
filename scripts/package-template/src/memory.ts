import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import type { SampleStorage, StorageReads, StorageWrites } from './storage.ts';
import { createThingOperations } from './things/memory.ts';

/** The storage of ~things~ in memory. */
export function createMemorySampleStorage(database: Database<MemorySession>): SampleStorage {
  return bindStorage<MemorySession, StorageReads, StorageWrites>(database, createThingOperations);
}
