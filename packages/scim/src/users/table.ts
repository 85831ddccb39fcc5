import type { TransactionOf } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { Filter } from '../filters/types.ts';
import { NO_GROUPS } from '../groups/none.ts';
import { userNameInUse } from '../resources/names.ts';
import type { ScimUser } from '../resources/types.ts';
import type { JsonObject } from '../schemas/types.ts';
import type { ScimStorage, StorageReads, StorageWrites } from '../storage.ts';
import type { PendingUsers } from './pending.ts';
import { createPendingUsers } from './pending.ts';
import { selectUsers } from './select.ts';
import type { UserLookups, UserTable } from './user-table.ts';

/** Attempts of a transaction whose rows the application changes meanwhile. */
const MAX_ATTEMPTS = 50;

/**
 * A `ScimStorage` over a table of users, for an application without groups. Transactions run one after another; what
 * one writes is kept and executed at its end at once, between `begin immediate` and `commit`, so that the application's
 * own statements on the connection never become part of it. When the application has changed a row meanwhile that the
 * transaction read and writes, its work is done again. Filters other than those by `userName` or `id` are evaluated on
 * all users of the organization.
 */
export function createUserTableStorage(table: UserTable): ScimStorage {
  const outbox = { append: async () => undefined };
  let last: Promise<unknown> = Promise.resolve();

  async function run<T>(work: (tx: TransactionOf<ScimStorage>) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const pending = createPendingUsers(table);
      const operations = { ...NO_GROUPS, ...readsOf(pending), ...writesOf(pending), outbox };
      const value = await work(operations);
      if (pending.commit()) return value;
    }
    throw new ProbityError('unavailable', 'the user is being changed by the application');
  }

  return {
    ...NO_GROUPS,
    ...readsOf(table),
    hasGroups: false,
    transaction(_scope, work) {
      const result = last.then(() => run(work));
      last = result.catch(() => undefined);
      return result;
    },
  };
}

function readsOf(table: UserLookups): Omit<StorageReads, keyof typeof NO_GROUPS> {
  return {
    findUser: async (organizationId, id) => table.find(organizationId, 'id', id),
    findUserByName: async (organizationId, name) => table.find(organizationId, 'userName', name),
    async listUsers(organizationId, query) {
      const wanted = identityOf(query.filter);
      if (!wanted) return selectUsers(table.list(organizationId), query);
      const user = table.find(organizationId, ...wanted);
      return selectUsers(user ? [user] : [], query);
    },
    countUsers: async (organizationId) => table.list(organizationId).length,
  };
}

function writesOf(table: PendingUsers): Omit<StorageWrites, keyof typeof NO_GROUPS> {
  function requireFree({ organizationId, id, userName, accountId }: ScimUser): void {
    const named = table.find(organizationId, 'userName', userName);
    if (named && named.id !== id) throw userNameInUse();
    if (accountId === null) return;
    const others = table.list(organizationId).filter((each) => each.id !== id);
    if (others.some((each) => each.accountId === accountId)) throw userNameInUse();
  }

  return {
    async insertUser(user) {
      requireFree(user);
      table.put(user);
    },
    async updateUser(user) {
      const stored = table.find(user.organizationId, 'id', user.id);
      if (stored?.version !== user.version - 1) return false;
      requireFree(user);
      table.put(user);
      return true;
    },
    async deleteUser(organizationId, id) {
      if (!table.find(organizationId, 'id', id)) return false;
      table.remove(organizationId, id);
      return true;
    },
  };
}

/** What a filter such as `userName eq "ann@example.com"`, by which identity providers find users, looks up. */
function identityOf(filter: Filter | null): ['id' | 'userName', string] | null {
  if (filter?.kind !== 'compare' || filter.operator !== 'eq') return null;
  const { path, value } = filter;
  const { name } = path.attribute;
  if (path.extension !== null || typeof value !== 'string') return null;
  return name === 'id' || name === 'userName' ? [name, value] : null;
}

/** What an application has columns for; the rest of a user is stored as `JSON.stringify(user)`. */
export type UserColumns = Pick<ScimUser, 'id' | 'organizationId' | 'userName' | 'active'> & {
  readonly displayName?: string | null;
};

/**
 * A user of columns and of stored JSON; the columns count where both say something. Null for a user that SCIM has not
 * stored yet, which has version 1, the time 0 and its userName as its e-mail address.
 */
export function restoreUser(stored: string | null, columns: UserColumns): ScimUser {
  const { displayName, ...own } = columns;
  const rest = (stored === null ? {} : JSON.parse(stored)) as Partial<Stored>;
  // `emails` is required: without it, the user could not be replaced by what was read.
  const initial: JsonObject = { emails: [{ value: own.userName, primary: true }] };
  const { displayName: storedName, ...attributes } = rest.attributes ?? initial;
  const shown = displayName === undefined ? storedName : displayName;
  return {
    version: rest.version ?? 1,
    externalId: rest.externalId ?? null,
    accountId: rest.accountId ?? null,
    createdAt: new Date(rest.createdAt ?? 0),
    lastModifiedAt: new Date(rest.lastModifiedAt ?? 0),
    ...own,
    attributes:
      shown === undefined || shown === null ? attributes : { ...attributes, displayName: shown },
  };
}

interface Stored extends Pick<ScimUser, 'version' | 'externalId' | 'accountId'> {
  readonly createdAt: string;
  readonly lastModifiedAt: string;
  readonly attributes: JsonObject;
}
