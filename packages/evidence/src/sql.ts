import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createAiSystemReads, createAiSystemWrites } from './ai-systems/sql.ts';
import { createChainReads, createChainWrites } from './chain/sql.ts';
import { createEvidenceReads, createEvidenceWrites } from './records/sql.ts';
import type { EvidenceStorage, StorageReads, StorageWrites } from './storage.ts';
import { createRunReads } from './trend/sql.ts';

export { evidenceMigrations } from './migrations.ts';

/** The storage of AI systems and evidence on SQLite and PostgreSQL. */
export function createSqlEvidenceStorage(database: SqlDatabase): EvidenceStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, (session) => ({
    ...createAiSystemReads(session),
    ...createAiSystemWrites(session),
    ...createEvidenceReads(session),
    ...createEvidenceWrites(session),
    ...createChainReads(session),
    ...createRunReads(session),
    ...createChainWrites(session),
  }));
}
