import { createMemoryMemberStorage } from '../../src/members/memory.ts';
import type { MemberStorage } from '../../src/members/storage.ts';
import type { MemorySession } from '../../src/memory/database.ts';
import type { SecretBox } from '../../src/secrets.ts';
import { createSecretBox } from '../../src/secrets.ts';
import type { SqlDatabase } from '../../src/sql/database.ts';
import { createSqlMemberStorage } from '../../src/sql/members.ts';
import type { Database } from '../../src/storage.ts';

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
