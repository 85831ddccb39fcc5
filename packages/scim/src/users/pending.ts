import { isDeepStrictEqual } from 'node:util';
import { foldMailbox } from '../filters/compare-values.ts';
import type { ScimUser } from '../resources/types.ts';
import type { UserLookups, UserTable } from './user-table.ts';

/** The users of a table as a transaction sees them that has written nothing yet. */
export interface PendingUsers extends UserLookups {
  /** Adds a user, or replaces the one of the same id. */
  put(user: ScimUser): void;
  remove(organizationId: string, id: string): void;
  /**
   * Executes what was put and removed, in its order. Returns false, and executes nothing, when rows that it replaces
   * are no longer as they were read, or a userName has been taken.
   */
  commit(): boolean;
}

interface Change {
  readonly organizationId: string;
  readonly id: string;
  /** The user when the transaction first looked; null when there was none. */
  readonly before: ScimUser | null;
  /** Null after a removal. */
  readonly after: ScimUser | null;
}

/** Creates the view of one transaction. */
export function createPendingUsers(table: UserTable): PendingUsers {
  const seen = new Map<string, ScimUser | null>();
  const changes = new Map<string, Change>();
  const keyOf = (organizationId: string, id: string) => JSON.stringify([organizationId, id]);

  function look(organizationId: string, id: string): ScimUser | null {
    const key = keyOf(organizationId, id);
    const known = seen.get(key);
    if (known !== undefined) return known;
    const user = table.find(organizationId, 'id', id);
    seen.set(key, user);
    return user;
  }

  function change(organizationId: string, id: string, after: ScimUser | null): void {
    const before = look(organizationId, id);
    changes.set(keyOf(organizationId, id), { organizationId, id, before, after });
  }

  function pendingOf(organizationId: string): ScimUser[] {
    const own = [...changes.values()].filter((each) => each.organizationId === organizationId);
    return own.flatMap(({ after }) => after ?? []);
  }

  const isUnchanged = ({ organizationId, id }: ScimUser) => !changes.has(keyOf(organizationId, id));

  function findByName(organizationId: string, name: string): ScimUser | null {
    const key = foldMailbox(name);
    const pending = pendingOf(organizationId).find((user) => foldMailbox(user.userName) === key);
    if (pending) return pending;
    const stored = table.find(organizationId, 'userName', name);
    return stored && isUnchanged(stored) ? stored : null;
  }

  /** Executes a change; false when the application has overtaken it. */
  function execute({ organizationId, id, before, after }: Change): boolean {
    if (!isDeepStrictEqual(table.find(organizationId, 'id', id), before)) return false;
    if (after) {
      const named = table.find(organizationId, 'userName', after.userName);
      if (named && named.id !== id) return false;
      if (before) table.update(after);
      else table.insert(after);
    } else if (before) table.remove(organizationId, id);
    return true;
  }

  return {
    list: (organizationId) => [
      ...table.list(organizationId).filter(isUnchanged),
      ...pendingOf(organizationId),
    ],
    find(organizationId, by, value) {
      if (by === 'userName') return findByName(organizationId, value);
      const pending = changes.get(keyOf(organizationId, value));
      return pending ? pending.after : look(organizationId, value);
    },
    put: (user) => change(user.organizationId, user.id, user),
    remove: (organizationId, id) => change(organizationId, id, null),
    commit() {
      if (changes.size === 0) return true;
      table.execute('begin immediate');
      try {
        const isDone = [...changes.values()].every(execute);
        table.execute(isDone ? 'commit' : 'rollback');
        return isDone;
      } catch (error) {
        table.execute('rollback');
        throw error;
      }
    },
  };
}
