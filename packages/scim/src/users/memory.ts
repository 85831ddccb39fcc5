import type { MemorySession } from '@probity/core';
import { owned } from '@probity/core/internal';
import { foldCase } from '../filters/compare-values.ts';
import { matchesUser, toComparedUser } from '../filters/matches.ts';
import { namesAttribute } from '../filters/named.ts';
import { createMembershipOperations } from '../groups/memory-members.ts';
import { MEMBERSHIPS } from '../groups/memory-tables.ts';
import { listInMemory } from '../resources/memory.ts';
import { userNameInUse } from '../resources/names.ts';
import type { ScimUser } from '../resources/types.ts';
import { USERS } from './memory-tables.ts';
import type { UserReads, UserWrites } from './storage.ts';

/** Reads and writes users in memory. */
export function createUserOperations(session: MemorySession): UserReads & UserWrites {
  const users = () => session.table(USERS);
  const usersOf = (organizationId: string) =>
    users().filter((row) => row.organizationId === organizationId);
  const named = (organizationId: string, userName: string) => {
    const key = foldCase(userName);
    const [found = null] = users().filter(
      (row) => row.organizationId === organizationId && foldCase(row.userName) === key,
    );
    return found;
  };

  function requireFree({ organizationId, userName, accountId, id }: ScimUser): void {
    const other = named(organizationId, userName);
    if (other && other.id !== id) throw userNameInUse();
    const linked = accountId === null ? [] : users().filter((row) => row.accountId === accountId);
    if (linked.some((row) => row.organizationId === organizationId && row.id !== id)) {
      throw userNameInUse();
    }
  }

  const { listGroupsOf } = createMembershipOperations(session);
  return {
    async findUser(organizationId, id) {
      return owned(users(), organizationId, id);
    },
    async findUserByName(organizationId, userName) {
      return named(organizationId, userName);
    },
    async listUsers(organizationId, query) {
      const all = usersOf(organizationId);
      const ids = all.map(({ id }) => id);
      const hasGroups = query.filter !== null && namesAttribute(query.filter, 'groups');
      const groups = hasGroups ? await listGroupsOf(organizationId, ids) : null;
      return listInMemory(all, query, {
        matches: (filter, user) => matchesUser(filter, user, groups?.get(user.id)),
        bodyOf: (user) => toComparedUser(user, []),
      });
    },
    async countUsers(organizationId) {
      return usersOf(organizationId).length;
    },
    async insertUser(user) {
      requireFree(user);
      users().put(user.id, user);
    },
    async updateUser(user) {
      const stored = owned(users(), user.organizationId, user.id);
      if (stored?.version !== user.version - 1) return false;
      requireFree(user);
      users().put(user.id, user);
      return true;
    },
    async deleteUser(organizationId, id) {
      if (!owned(users(), organizationId, id)) return false;
      session
        .table(MEMBERSHIPS)
        .deleteWhere((row) => row.organizationId === organizationId && row.memberId === id);
      return users().delete(id);
    },
  };
}
