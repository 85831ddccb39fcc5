import type { MemorySession } from '@probity/core';
import { owned } from '@probity/core/internal';
import { foldCase } from '../filters/compare-values.ts';
import { matchesGroup, toComparedGroup } from '../filters/matches.ts';
import { namesAttribute } from '../filters/named.ts';
import { listInMemory } from '../resources/memory.ts';
import { groupNameInUse } from '../resources/names.ts';
import type { ScimGroup } from '../resources/types.ts';
import { createMembershipOperations } from './memory-members.ts';
import { GROUPS, MEMBERSHIPS } from './memory-tables.ts';
import type { GroupReads, GroupWrites } from './storage.ts';

/** Reads and writes groups in memory. */
export function createGroupOperations(session: MemorySession): GroupReads & GroupWrites {
  const groups = () => session.table(GROUPS);
  const groupsOf = (organizationId: string) =>
    groups().filter((row) => row.organizationId === organizationId);
  const named = (organizationId: string, displayName: string) => {
    const key = foldCase(displayName);
    const [found = null] = groups().filter(
      (row) => row.organizationId === organizationId && foldCase(row.displayName) === key,
    );
    return found;
  };

  function requireFreeName({ organizationId, displayName, id }: ScimGroup): void {
    const other = named(organizationId, displayName);
    if (other && other.id !== id) throw groupNameInUse();
  }

  const memberships = createMembershipOperations(session);
  return {
    ...memberships,
    async findGroup(organizationId, id) {
      return owned(groups(), organizationId, id);
    },
    async findGroupByName(organizationId, displayName) {
      return named(organizationId, displayName);
    },
    async listGroups(organizationId, query) {
      const all = groupsOf(organizationId);
      const ids = all.map(({ id }) => id);
      const hasMembers = query.filter !== null && namesAttribute(query.filter, 'members');
      const members = hasMembers ? await memberships.listGroupMembers(organizationId, ids) : null;
      return listInMemory(all, query, {
        matches: (filter, group) => matchesGroup(filter, group, members?.get(group.id)),
        bodyOf: (group) => toComparedGroup(group, []),
      });
    },
    async countGroups(organizationId) {
      return groupsOf(organizationId).length;
    },
    async insertGroup(group) {
      requireFreeName(group);
      groups().put(group.id, group);
    },
    async updateGroup(group) {
      const stored = owned(groups(), group.organizationId, group.id);
      if (stored?.version !== group.version - 1) return false;
      requireFreeName(group);
      groups().put(group.id, group);
      return true;
    },
    async touchGroup(organizationId, id, lastModifiedAt) {
      const stored = owned(groups(), organizationId, id);
      if (!stored) return null;
      const touched = { ...stored, version: stored.version + 1, lastModifiedAt };
      groups().put(id, touched);
      return touched;
    },
    async deleteGroup(organizationId, id) {
      if (!owned(groups(), organizationId, id)) return false;
      session
        .table(MEMBERSHIPS)
        .deleteWhere(
          (row) =>
            row.organizationId === organizationId && (row.groupId === id || row.memberId === id),
        );
      return groups().delete(id);
    },
  };
}
