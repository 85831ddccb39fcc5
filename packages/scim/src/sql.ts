import { bindStorage } from '@probity/core';
import { combineResources } from '@probity/core/internal';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createGroupReads, createGroupWrites } from './groups/sql/groups.ts';
import { createMembershipReads, createMembershipWrites } from './groups/sql/members.ts';
import type { ScimStorage, StorageReads, StorageWrites } from './storage.ts';
import { createUserReads, createUserWrites } from './users/sql.ts';

export { createSqlScimActivityStorage } from './activity/sql.ts';
export { scimMigrations } from './migrations.ts';

const { bind, bindOnDemand } = combineResources(
  createUserReads,
  createUserWrites,
  createGroupReads,
  createGroupWrites,
  createMembershipReads,
  createMembershipWrites,
);

/** The storage of users and groups on SQLite and PostgreSQL. */
export function createSqlScimStorage(database: SqlDatabase): ScimStorage {
  return bindStorage<SqlSession, StorageReads, StorageWrites>(database, bind, bindOnDemand);
}
