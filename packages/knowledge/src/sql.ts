import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createCorrectionReads, createCorrectionWrites } from './corrections/sql.ts';
import { createImportReads, createImportWrites } from './imports/sql.ts';
import { createNuggetReads, createNuggetWrites } from './nuggets/sql.ts';
import type { KnowledgeStorage, StorageReads, StorageWrites } from './storage.ts';

export { knowledgeMigrations } from './migrations.ts';

/** Creates the storage of knowledge bases on SQLite or PostgreSQL. */
export function createSqlKnowledgeStorage(database: SqlDatabase): KnowledgeStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, (session) => ({
    ...createNuggetReads(session),
    ...createNuggetWrites(session),
    ...createCorrectionReads(session),
    ...createCorrectionWrites(session),
    ...createImportReads(session),
    ...createImportWrites(session),
  }));
}
