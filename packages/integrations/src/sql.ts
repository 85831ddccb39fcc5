import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createIntegrationReads, createIntegrationWrites } from './integrations/sql.ts';
import type { IntegrationsStorage, StorageReads, StorageWrites } from './storage.ts';

export { integrationsMigrations } from './migrations.ts';

/** Creates the storage of integrations on SQLite or PostgreSQL. */
export function createSqlIntegrationsStorage(database: SqlDatabase): IntegrationsStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, (session) => ({
    ...createIntegrationReads(session),
    ...createIntegrationWrites(session),
  }));
}
