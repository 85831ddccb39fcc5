import type { MemorySession } from '@probity/core';
import { owned } from '@probity/core/internal';
import { foldMailbox } from '../filters/compare-values.ts';
import { matchesUser, toComparedUser } from '../filters/matches.ts';
import { namesAttribute } from '../filters/named.ts';
import { createMembershipOperations, leaveGroups } from '../groups/memory-members.ts';
import { pageInMemory } from '../resources/memory.ts';
import { createMemoryNames } from '../resources/memory-names.ts';
import { userNameInUse } from '../resources/names.ts';
import type { ScimUser } from '../resources/types.ts';
import { USERS } from './memory-tables.ts';
import type { UserReads, UserWrites } from './storage.ts';

/** Reads and writes users in memory. */
export function createUserOperations(session: MemorySession): UserReads & UserWrites {
  const users = () => session.table(USERS);
  const names = createMemoryNames(session, 'User', {
    fold: foldMailbox,
    inUse: userNameInUse,
  });
  const toNamed = ({ organizationId, id, userName: name }: ScimUser) => ({
    organizationId,
    id,
    name,
  });
  const idsOf = (organizationId: string) =>
    users()
      .filter((row) => row.organizationId === organizationId)
      .map(({ id }) => id);

  function requireFreeAccount({ organizationId, accountId, id }: ScimUser): void {
    if (accountId === null) return;
    const others = users().filter((row) => row.accountId === accountId && row.id !== id);
    if (others.some((row) => row.organizationId === organizationId)) throw userNameInUse();
  }

  const { listGroupsOf } = createMembershipOperations(session);
  return {
    async findUser(organizationId, id) {
      return owned(users(), organizationId, id);
    },
    async findUserByName(organizationId, userName) {
      const id = names.find(organizationId, userName);
      return id === null ? null : owned(users(), organizationId, id);
    },
    async listUsers(organizationId, query) {
      const { filter } = query;
      const groups =
        filter && namesAttribute(filter, 'groups')
          ? await listGroupsOf(organizationId, idsOf(organizationId))
          : null;
      const matching = users().filter(
        (row) =>
          row.organizationId === organizationId &&
          (filter === null || matchesUser(filter, row, groups?.get(row.id))),
      );
      return pageInMemory(matching, query, (user) => toComparedUser(user, []));
    },
    async countUsers(organizationId) {
      return idsOf(organizationId).length;
    },
    async insertUser(user) {
      requireFreeAccount(user);
      names.claim(toNamed(user));
      users().put(user.id, user);
    },
    async updateUser(user) {
      const stored = owned(users(), user.organizationId, user.id);
      if (stored?.version !== user.version - 1) return false;
      if (stored.accountId !== user.accountId) requireFreeAccount(user);
      names.claim(toNamed(user));
      if (foldMailbox(stored.userName) !== foldMailbox(user.userName))
        names.release(toNamed(stored));
      users().put(user.id, user);
      return true;
    },
    async deleteUser(organizationId, id, at) {
      const stored = owned(users(), organizationId, id);
      if (!stored) return false;
      names.release(toNamed(stored));
      leaveGroups(session, { organizationId, id, at });
      return users().delete(id);
    },
  };
}
