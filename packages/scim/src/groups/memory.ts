import type { MemorySession } from '@probity/core';
import { owned } from '@probity/core/internal';
import { foldCase } from '../filters/compare-values.ts';
import { matchesGroup, toComparedGroup } from '../filters/matches.ts';
import { namesAttribute } from '../filters/named.ts';
import { pageInMemory } from '../resources/memory.ts';
import { createMemoryNames } from '../resources/memory-names.ts';
import { groupNameInUse } from '../resources/names.ts';
import type { ScimGroup } from '../resources/types.ts';
import { createMembershipOperations, leaveGroups } from './memory-members.ts';
import { GROUPS, MEMBERSHIPS } from './memory-tables.ts';
import type { GroupReads, GroupWrites } from './storage.ts';

/** Reads and writes groups in memory. */
export function createGroupOperations(session: MemorySession): GroupReads & GroupWrites {
  const groups = () => session.table(GROUPS);
  const names = createMemoryNames(session, 'Group', { fold: foldCase, inUse: groupNameInUse });
  const toNamed = ({ organizationId, id, displayName: name }: ScimGroup) => ({
    organizationId,
    id,
    name,
  });
  const idsOf = (organizationId: string) =>
    groups()
      .filter((row) => row.organizationId === organizationId)
      .map(({ id }) => id);
  const memberships = createMembershipOperations(session);
  return {
    ...memberships,
    async findGroup(organizationId, id) {
      return owned(groups(), organizationId, id);
    },
    async findGroupByName(organizationId, displayName) {
      const id = names.find(organizationId, displayName);
      return id === null ? null : owned(groups(), organizationId, id);
    },
    async listGroups(organizationId, query) {
      const { filter } = query;
      const members =
        filter && namesAttribute(filter, 'members')
          ? await memberships.listGroupMembers(organizationId, idsOf(organizationId))
          : null;
      const matching = groups().filter(
        (row) =>
          row.organizationId === organizationId &&
          (filter === null || matchesGroup(filter, row, members?.get(row.id))),
      );
      return pageInMemory(matching, query, (group) => toComparedGroup(group, []));
    },
    async countGroups(organizationId) {
      return idsOf(organizationId).length;
    },
    async insertGroup(group) {
      names.claim(toNamed(group));
      groups().put(group.id, group);
    },
    async updateGroup(group) {
      const stored = owned(groups(), group.organizationId, group.id);
      if (stored?.version !== group.version - 1) return false;
      names.claim(toNamed(group));
      if (foldCase(stored.displayName) !== foldCase(group.displayName))
        names.release(toNamed(stored));
      groups().put(group.id, group);
      return true;
    },
    // Transactions run one after another.
    async lockGroup(organizationId, id) {
      return owned(groups(), organizationId, id);
    },
    async touchGroup(organizationId, id, lastModifiedAt) {
      const stored = owned(groups(), organizationId, id);
      if (!stored) return null;
      const touched = { ...stored, version: stored.version + 1, lastModifiedAt };
      groups().put(id, touched);
      return touched;
    },
    async deleteGroup(organizationId, id, at) {
      const stored = owned(groups(), organizationId, id);
      if (!stored) return false;
      names.release(toNamed(stored));
      leaveGroups(session, { organizationId, id, at });
      session
        .table(MEMBERSHIPS)
        .deleteWhere((row) => row.organizationId === organizationId && row.groupId === id);
      return groups().delete(id);
    },
    keepMembers: async () => undefined,
  };
}
