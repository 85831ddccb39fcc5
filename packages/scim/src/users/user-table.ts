import type { ScimUser } from '../resources/types.ts';

/** Look-ups of users in a table. */
export interface UserLookups {
  /** All users of an organization, in any order. */
  list(organizationId: string): readonly ScimUser[];
  /** The user with this id, or with this userName in any writing (see `foldMailbox`); null when there is none. */
  find(organizationId: string, by: 'id' | 'userName', value: string): ScimUser | null;
}

/** A table of users of an application, in a SQLite database whose driver answers at once, such as better-sqlite3. */
export interface UserTable extends UserLookups {
  insert(user: ScimUser): unknown;
  /** Replaces the user of the same id. */
  update(user: ScimUser): unknown;
  remove(organizationId: string, id: string): unknown;
  /** Executes a statement on the connection of the other operations, which follow each other at once until it ends. */
  execute(statement: 'begin immediate' | 'commit' | 'rollback'): unknown;
}
