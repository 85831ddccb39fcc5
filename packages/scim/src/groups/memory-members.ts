import type { MemorySession } from '@probity/core';
import { owned } from '@probity/core/internal';
import type { GroupMember, UserGroup } from '../resources/types.ts';
import { displayNameOf } from '../users/attributes.ts';
import { USERS } from '../users/memory-tables.ts';
import type { StoredMembership } from './memory-tables.ts';
import { GROUPS, MEMBERSHIPS, toMembershipKey } from './memory-tables.ts';
import type { GroupReads, GroupWrites } from './storage.ts';
import { sortUserGroups } from './user-groups.ts';

type MembershipOperations = Pick<
  GroupReads & GroupWrites,
  'listGroupMembers' | 'listGroupsOf' | 'addGroupMembers' | 'removeGroupMembers'
>;

/** Reads and writes memberships in memory. */
export function createMembershipOperations(session: MemorySession): MembershipOperations {
  const memberships = () => session.table(MEMBERSHIPS);
  const findUser = (organizationId: string, id: string) =>
    owned(session.table(USERS), organizationId, id);
  const findGroup = (organizationId: string, id: string) =>
    owned(session.table(GROUPS), organizationId, id);

  function toMember({ organizationId, memberId: id, type }: StoredMembership): GroupMember {
    const user = type === 'User' ? findUser(organizationId, id) : null;
    const group = type === 'Group' ? findGroup(organizationId, id) : null;
    return {
      id,
      type,
      display: user ? (displayNameOf(user) ?? user.userName) : (group?.displayName ?? null),
    };
  }

  /** Follows the memberships of groups in groups; each group is visited once. */
  function groupsOf(organizationId: string, userId: string): UserGroup[] {
    const found = new Map<string, UserGroup>();
    let level = [userId];
    let type: UserGroup['type'] = 'direct';
    while (level.length > 0) {
      const rows = memberships().filter(
        (row) => row.organizationId === organizationId && level.includes(row.memberId),
      );
      const next = new Set(rows.map(({ groupId }) => groupId).filter((id) => !found.has(id)));
      for (const id of next) {
        const group = findGroup(organizationId, id);
        if (group) found.set(id, { id, display: group.displayName, type });
      }
      level = [...next];
      type = 'indirect';
    }
    return sortUserGroups([...found.values()]);
  }

  return {
    async listGroupMembers(organizationId, groupIds) {
      const members = new Map<string, GroupMember[]>(groupIds.map((id) => [id, []]));
      const rows = memberships().filter(
        (row) => row.organizationId === organizationId && members.has(row.groupId),
      );
      for (const row of rows.sort(byAddition)) members.get(row.groupId)?.push(toMember(row));
      return members;
    },
    async listGroupsOf(organizationId, userIds) {
      return new Map(userIds.map((id) => [id, groupsOf(organizationId, id)]));
    },
    async addGroupMembers(organizationId, groupId, memberIds, addedAt) {
      const typeOf = (id: string): StoredMembership['type'] | null => {
        if (findUser(organizationId, id)) return 'User';
        return findGroup(organizationId, id) ? 'Group' : null;
      };
      const types = new Map(memberIds.map((id) => [id, typeOf(id)]));
      const unknown = memberIds.filter((id) => types.get(id) === null);
      const groups = [...types.keys()].filter((id) => types.get(id) === 'Group');
      let added = 0;
      if (unknown.length > 0) return { unknown, added, groups };
      for (const [memberId, type] of types) {
        const key = toMembershipKey(groupId, memberId);
        if (type === null || memberships().get(key)) continue;
        memberships().put(key, { organizationId, groupId, memberId, type, addedAt });
        added += 1;
      }
      return { unknown, added, groups };
    },
    async removeGroupMembers(organizationId, groupId, memberIds) {
      const isOwn = (row: StoredMembership | undefined) =>
        row?.organizationId === organizationId && row.groupId === groupId;
      const ids =
        memberIds ??
        memberships()
          .filter(isOwn)
          .map(({ memberId }) => memberId);
      const keys = new Set(ids.map((id) => toMembershipKey(groupId, id)));
      const removed = [...keys].filter((key) => isOwn(memberships().get(key)));
      for (const key of removed) memberships().delete(key);
      return removed.length;
    },
  };
}

/** Removes a user or group from all groups, which count that as a change. */
export function leaveGroups(
  session: MemorySession,
  { organizationId, id, at }: { organizationId: string; id: string; at: Date },
): void {
  const memberships = session.table(MEMBERSHIPS);
  const isOwn = (row: StoredMembership) =>
    row.organizationId === organizationId && row.memberId === id;
  for (const { groupId } of memberships.filter(isOwn)) {
    const group = owned(session.table(GROUPS), organizationId, groupId);
    if (!group) continue;
    const touched = { ...group, version: group.version + 1, lastModifiedAt: at };
    session.table(GROUPS).put(groupId, touched);
  }
  memberships.deleteWhere(isOwn);
}

function byAddition(left: StoredMembership, right: StoredMembership): number {
  const byTime = left.addedAt.getTime() - right.addedAt.getTime();
  if (byTime !== 0) return byTime;
  return left.memberId < right.memberId ? -1 : 1;
}
