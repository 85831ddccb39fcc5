import type { Database, MemorySession, SecretBox } from '@probity/core';
import { createSecretBox } from '@probity/core';
import type { SqlDatabase } from '@probity/core/sql';
import { createMemoryMemberStorage } from '../../src/members/memory.ts';
import { createSqlMemberStorage } from '../../src/members/sql/members.ts';
import type { MemberStorage } from '../../src/members/storage.ts';

/** A database of either kind, as tests open it. */
export type OpenedDatabase =
  | { readonly kind: 'memory'; readonly database: Database<MemorySession> }
  | { readonly kind: 'sql'; readonly database: SqlDatabase };

/** Members and invitations on a test database. */
export function memberStorageOf(opened: OpenedDatabase): MemberStorage {
  return opened.kind === 'memory'
    ? createMemoryMemberStorage(opened.database)
    : createSqlMemberStorage(opened.database);
}

/** Seals under a key that every test may know. */
export function testSecretBox(): SecretBox {
  return createSecretBox([new Uint8Array(32).fill(7)]);
}
