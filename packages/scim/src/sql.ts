import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createGroupReads, createGroupWrites } from './groups/sql/groups.ts';
import { createMembershipReads, createMembershipWrites } from './groups/sql/members.ts';
import type { ScimStorage, StorageReads, StorageWrites } from './storage.ts';
import { createUserReads, createUserWrites } from './users/sql.ts';

export { createSqlScimActivityStorage } from './activity/sql.ts';
export { scimMigrations } from './migrations.ts';

/** The storage of users and groups on SQLite and PostgreSQL. */
export function createSqlScimStorage(database: SqlDatabase): ScimStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, (session) => ({
    ...createUserReads(session),
    ...createUserWrites(session),
    ...createGroupReads(session),
    ...createGroupWrites(session),
    ...createMembershipReads(session),
    ...createMembershipWrites(session),
  }));
}
