import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { createAiSystemOperations } from './ai-systems/memory.ts';
import { createChainOperations } from './chain/memory.ts';
import { createEvidenceOperations } from './records/memory.ts';
import type { EvidenceStorage, StorageReads, StorageWrites } from './storage.ts';
import { createRunOperations } from './trend/memory.ts';

/** The storage of AI systems and evidence in memory. */
export function createMemoryEvidenceStorage(database: Database<MemorySession>): EvidenceStorage {
  return bindStorage<MemorySession, StorageReads, StorageWrites>(database, (session) => ({
    ...createAiSystemOperations(session),
    ...createEvidenceOperations(session),
    ...createChainOperations(session),
    ...createRunOperations(session),
  }));
}
