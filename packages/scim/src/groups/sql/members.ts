import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlSession } from '@probity/core/sql';
import { insertMany, prepareSql } from '@probity/core/sql';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { isAmong } from '../../resources/sql.ts';
import type { GroupMember, UserGroup } from '../../resources/types.ts';
import type { GroupReads, GroupWrites } from '../storage.ts';
import { sortUserGroups } from '../user-groups.ts';

interface MembershipRow {
  organization_id: string;
  group_id: string;
  member_id: string;
  member_type: 'User' | 'Group';
  added_at: number;
}

type MemberRow = Pick<MembershipRow, 'member_id' | 'member_type' | 'added_at'> & {
  display: string | null;
};

interface MemberSlice {
  organizationId: string;
  groupId: string;
  addedAt: number;
  memberId: string;
}

/** Members that one statement reads: SQLite answers within the process. */
const SLICE_ROWS = 2_000;

interface OneGroup {
  organizationId: string;
  groupId: string;
}

/** Whether the group belongs to the organization: looked up once, so that memberships are found by the group alone. */
function isOwned(value: (name: keyof OneGroup) => string): RawBuilder<boolean> {
  return sql<boolean>`(
    select own.organization_id from probity_scim_groups as own where own.id = ${value('groupId')}
  ) = ${value('organizationId')}`;
}

const selectMembers = prepareSql<MemberSlice, MemberRow>(
  (value) => sql`
    select m.member_id, m.member_type, m.added_at,
      coalesce(u.display_name, u.user_name, g.display_name) as display
    from probity_scim_group_members as m
    left join probity_scim_users as u on u.id = m.member_id
    left join probity_scim_groups as g on g.id = m.member_id
    where m.group_id = ${value('groupId')} and ${isOwned(value)}
      and (m.added_at, m.member_id) > (${value('addedAt')}, ${value('memberId')})
    order by m.added_at, m.member_id
    limit ${sql.lit(SLICE_ROWS)}`,
);

interface GroupOfUserRow {
  user_id: string;
  group_id: string;
  direct: number;
  display_name: string;
}

/**
 * `union` leaves out what was found before, so groups that are members of each other end the recursion. Each step looks
 * up the groups of the rows found last by an index: SQLite keeps the order of a `cross join`, and PostgreSQL does not
 * reorder a subquery with an offset, where it would read all memberships for its estimate of the rows.
 */
const selectGroupsOf = prepareSql<{ organizationId: string; ids: string }, GroupOfUserRow>(
  (value, dialect) => {
    const groupsOfFound = sql`m.organization_id = ${value('organizationId')}
      and m.member_id = found.group_id`;
    const step =
      dialect === 'sqlite'
        ? sql`cross join probity_scim_group_members as m where ${groupsOfFound}`
        : sql`cross join lateral (
            select m.group_id from probity_scim_group_members as m where ${groupsOfFound} offset 0
          ) as m`;
    return sql`
      with recursive found (user_id, group_id, direct) as (
        select member_id, group_id, 1 from probity_scim_group_members
        where organization_id = ${value('organizationId')}
          and member_id ${isAmong(dialect, value('ids'))}
        union
        select found.user_id, m.group_id, 0 from found ${step}
      ),
      closest as (
        select user_id, group_id, max(direct) as direct from found group by user_id, group_id
      )
      select user_id, group_id, direct, (
        select g.display_name from probity_scim_groups as g
        where g.organization_id = ${value('organizationId')} and g.id = closest.group_id
      ) as display_name
      from closest`;
  },
);

const selectMembership = prepareSql<{ organizationId: string; id: string }, { one: number }>(
  (value) => sql`select 1 as one from probity_scim_group_members
    where organization_id = ${value('organizationId')} and member_id = ${value('id')} limit 1`,
);

interface IdsOfOrganization {
  organizationId: string;
  ids: string;
}

type MemberTable = 'probity_scim_users' | 'probity_scim_groups';

/**
 * The users and groups among these ids. None of them is deleted until this transaction ends; a deletion that began
 * before is waited for. Rows are locked by id, so that two additions do not wait for each other. The organization is
 * compared as an expression, or SQLite, without statistics, would read all of its rows by an index.
 */
function prepareCandidates(table: MemberTable) {
  return prepareSql<IdsOfOrganization, { id: string }>((value, dialect) => {
    const lock = dialect === 'sqlite' ? sql`` : sql`order by id for key share`;
    return sql`select id from ${sql.table(table)}
      where id ${isAmong(dialect, value('ids'))}
        and organization_id || '' = ${value('organizationId')} ${lock}`;
  });
}

const selectUsers = prepareCandidates('probity_scim_users');
const selectGroups = prepareCandidates('probity_scim_groups');

/** Locks users or groups as `prepareCandidates` does, but for the members of a group. PostgreSQL only. */
function prepareKeep(table: MemberTable) {
  return prepareSql<IdsOfOrganization & { groupId: string }, object>(
    (value, dialect) => sql`select 1 from ${sql.table(table)} as r
      where id ${isAmong(dialect, value('ids'))} and organization_id = ${value('organizationId')}
        and not exists (select 1 from probity_scim_group_members as m
          where m.group_id = ${value('groupId')} and m.member_id = r.id)
      order by id for key share of r`,
  );
}

const keepUsers = prepareKeep('probity_scim_users');
const keepGroups = prepareKeep('probity_scim_groups');

type OneMember = { organizationId: string; memberId: string };

const GROUPS_OF_MEMBER = (value: (name: keyof OneMember) => string) => sql`(
  select group_id from probity_scim_group_members
  where organization_id = ${value('organizationId')} and member_id = ${value('memberId')})`;

/** Locks the groups of a member by their ids, so that two deletions do not wait for each other. PostgreSQL only. */
const lockGroupsOf = prepareSql<OneMember, object>(
  (value) => sql`select 1 from probity_scim_groups where id in ${GROUPS_OF_MEMBER(value)}
    order by id for no key update`,
);

const touchGroupsOf = prepareSql<OneMember & { at: number }, object>(
  (value) => sql`update probity_scim_groups
    set version = version + 1, last_modified_at = ${value('at')}
    where id in ${GROUPS_OF_MEMBER(value)}`,
);

const deleteMembershipsOf = prepareSql<OneMember, object>(
  (value) => sql`delete from probity_scim_group_members
    where organization_id = ${value('organizationId')} and member_id = ${value('memberId')}`,
);

/**
 * Removes a user or group, which the transaction has locked for a deletion, from all groups, and counts the change of
 * each: no group gets it meanwhile.
 */
export async function leaveGroups(session: SqlSession, member: OneMember, at: Date): Promise<void> {
  if (session.dialect === 'postgres') await lockGroupsOf(session, member);
  await touchGroupsOf(session, { ...member, at: at.getTime() });
  await deleteMembershipsOf(session, member);
}

const deleteMembers = prepareSql<IdsOfOrganization & { groupId: string }, object>(
  (value, dialect) => sql`delete from probity_scim_group_members
    where group_id = ${value('groupId')} and ${isOwned(value)}
      and member_id ${isAmong(dialect, value('ids'))}
    returning member_type`,
);

const deleteAllMembers = prepareSql<OneGroup, object>(
  (value) => sql`delete from probity_scim_group_members
    where group_id = ${value('groupId')} and ${isOwned(value)}
    returning member_type`,
);

/** Reads memberships on a SQL session. */
export function createMembershipReads(
  session: SqlSession,
): Pick<GroupReads, 'listGroupMembers' | 'listGroupsOf'> {
  return {
    async listGroupMembers(organizationId, groupIds) {
      const members = new Map<string, GroupMember[]>();
      for (const id of groupIds) members.set(id, await membersOf(organizationId, id));
      return members;
    },
    async listGroupsOf(organizationId, userIds) {
      const found = new Map<string, UserGroup[]>(userIds.map((id) => [id, []]));
      const [only] = userIds;
      if (only !== undefined && userIds.length === 1) {
        // Most users belong to no group, which a look-up tells in a third of the time.
        const [first] = await selectMembership(session, { organizationId, id: only });
        if (!first) return found;
      }
      const ids = JSON.stringify(userIds);
      for (const row of await selectGroupsOf(session, { organizationId, ids })) {
        found.get(row.user_id)?.push({
          id: row.group_id,
          display: row.display_name,
          type: row.direct === 1 ? 'direct' : 'indirect',
        });
      }
      return new Map(Array.from(found, ([id, groups]) => [id, sortUserGroups(groups)]));
    },
  };

  async function membersOf(organizationId: string, groupId: string): Promise<GroupMember[]> {
    const members: GroupMember[] = [];
    let last = { added_at: Number.MIN_SAFE_INTEGER, member_id: '' };
    for (;;) {
      const after = { addedAt: last.added_at, memberId: last.member_id };
      const rows = await selectMembers(session, { organizationId, groupId, ...after });
      for (const row of rows) members.push(toMember(row));
      if (rows.length < SLICE_ROWS) return members;
      last = rows[rows.length - 1] as MemberRow;
      await nextTurn();
    }
  }
}

/** Writes memberships on a SQL session. */
export function createMembershipWrites(
  session: SqlSession,
): Pick<GroupWrites, 'addGroupMembers' | 'removeGroupMembers' | 'keepMembers'> {
  return {
    async keepMembers(organizationId, memberIds, unlessIn) {
      if (session.dialect === 'sqlite' || memberIds.length === 0) return;
      const candidates = {
        organizationId,
        ids: JSON.stringify(memberIds),
        groupId: unlessIn ?? '',
      };
      await keepUsers(session, candidates);
      await keepGroups(session, candidates);
    },
    async addGroupMembers(organizationId, groupId, memberIds, at) {
      if (memberIds.length === 0) return { unknown: [], added: 0, groups: [] };
      const candidates = { organizationId, ids: JSON.stringify(memberIds) };
      const types = new Map<string, MembershipRow['member_type']>();
      for (const { id } of await selectUsers(session, candidates)) types.set(id, 'User');
      if (types.size < memberIds.length) {
        for (const { id } of await selectGroups(session, candidates)) types.set(id, 'Group');
      }
      const groups = [...types.keys()].filter((id) => types.get(id) === 'Group');
      const unknown = memberIds.filter((id) => !types.has(id));
      if (unknown.length > 0) return { unknown, added: 0, groups };
      const rows = Array.from(types, ([id, type]) => ({
        organization_id: organizationId,
        group_id: groupId,
        member_id: id,
        member_type: type,
        added_at: at.getTime(),
      }));
      const inserted = await insertMany(session, 'probity_scim_group_members', rows, {
        onConflictDoNothing: ['group_id', 'member_id'],
        returning: ['member_type'],
      });
      return { unknown, added: inserted.length, groups };
    },
    async removeGroupMembers(organizationId, groupId, memberIds) {
      const group = { organizationId, groupId };
      const removed =
        memberIds === null
          ? await deleteAllMembers(session, group)
          : await deleteMembers(session, { ...group, ids: JSON.stringify(memberIds) });
      return removed.length;
    },
  };
}

function toMember(row: MemberRow): GroupMember {
  return { id: row.member_id, type: row.member_type, display: row.display };
}
