import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { createCorrectionOperations } from './corrections/memory.ts';
import { createImportOperations } from './imports/memory.ts';
import { createNuggetOperations } from './nuggets/memory.ts';
import type { KnowledgeStorage, StorageReads, StorageWrites } from './storage.ts';

/** Creates the in-memory storage of knowledge bases. */
export function createMemoryKnowledgeStorage(database: Database<MemorySession>): KnowledgeStorage {
  return bindStorage<MemorySession, StorageReads, StorageWrites>(database, (session) => ({
    ...createNuggetOperations(session),
    ...createCorrectionOperations(session),
    ...createImportOperations(session),
  }));
}
