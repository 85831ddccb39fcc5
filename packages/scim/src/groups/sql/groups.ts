import type { SqlSession } from '@probity/core/sql';
import {
  countRows,
  isUniqueViolation,
  prepareInsert,
  prepareQuery,
  toDate,
} from '@probity/core/sql';
import { foldCase } from '../../filters/compare-values.ts';
import { fragment, isOneOf, rawFragment } from '../../filters/fragment.ts';
import { matchesGroup } from '../../filters/matches.ts';
import { namesAttribute } from '../../filters/named.ts';
import type { SearchTable } from '../../filters/search-table.ts';
import type { ListedTable } from '../../resources/list-sql.ts';
import { listResources } from '../../resources/list-sql.ts';
import { groupNameInUse } from '../../resources/names.ts';
import type { ResourceRow } from '../../resources/sql.ts';
import { toIndexed } from '../../resources/sql.ts';
import type { ScimGroup } from '../../resources/types.ts';
import type { JsonObject } from '../../schemas/types.ts';
import type { GroupReads, GroupWrites } from '../storage.ts';
import { createMembershipReads, leaveGroups } from './members.ts';

/** The tables of groups. */
interface GroupTables {
  probity_scim_groups: GroupRow;
}

interface GroupRow extends ResourceRow {
  display_name: string;
  display_name_key: string;
}

/** The columns of a `ScimGroup`. */
const GROUP_COLUMNS = [
  'organization_id',
  'id',
  'display_name',
  'external_id',
  'attributes',
  'version',
  'created_at',
  'last_modified_at',
] as const;

type GroupColumns = Pick<GroupRow, (typeof GROUP_COLUMNS)[number]>;

type OneGroup = Pick<GroupRow, 'organization_id' | 'id'>;

const selectGroup = prepareQuery<GroupTables, OneGroup, GroupColumns>((db, value) =>
  db
    .selectFrom('probity_scim_groups')
    .select(GROUP_COLUMNS)
    .where('organization_id', '=', value('organization_id'))
    .where('id', '=', value('id')),
);

const selectGroupByName = prepareQuery<
  GroupTables,
  Pick<GroupRow, 'organization_id' | 'display_name_key'>,
  GroupColumns
>((db, value) =>
  db
    .selectFrom('probity_scim_groups')
    .select(GROUP_COLUMNS)
    .where('organization_id', '=', value('organization_id'))
    .where('display_name_key', '=', value('display_name_key')),
);

const insertGroupRow = prepareInsert<GroupRow>('probity_scim_groups', [
  ...GROUP_COLUMNS,
  'display_name_key',
]);

const updateGroupRow = prepareQuery<GroupTables, GroupRow & { former: number }, OneGroup>(
  (db, value) =>
    db
      .updateTable('probity_scim_groups')
      .set({
        display_name: value('display_name'),
        display_name_key: value('display_name_key'),
        external_id: value('external_id'),
        attributes: value('attributes'),
        version: value('version'),
        created_at: value('created_at'),
        last_modified_at: value('last_modified_at'),
      })
      .where('organization_id', '=', value('organization_id'))
      .where('id', '=', value('id'))
      .where('version', '=', value('former'))
      .returning(['organization_id', 'id']),
);

const touchGroupRow = prepareQuery<GroupTables, OneGroup & { at: number }, GroupColumns>(
  (db, value) =>
    db
      .updateTable('probity_scim_groups')
      .set((eb) => ({ version: eb('version', '+', 1), last_modified_at: value('at') }))
      .where('organization_id', '=', value('organization_id'))
      .where('id', '=', value('id'))
      .returning(GROUP_COLUMNS),
);

/** Changes take turns; additions of the group to others do not wait. */
const lockForChange = prepareQuery<GroupTables, OneGroup, GroupColumns>((db, value, dialect) => {
  const group = db
    .selectFrom('probity_scim_groups')
    .select(GROUP_COLUMNS)
    .where('organization_id', '=', value('organization_id'))
    .where('id', '=', value('id'));
  return dialect === 'sqlite' ? group : group.forNoKeyUpdate();
});

/** Additions to other groups share this lock: a group that is deleted gets no memberships meanwhile. */
const lockForDeletion = prepareQuery<GroupTables, OneGroup, OneGroup>((db, value, dialect) => {
  const group = db
    .selectFrom('probity_scim_groups')
    .select(['organization_id', 'id'])
    .where('organization_id', '=', value('organization_id'))
    .where('id', '=', value('id'));
  return dialect === 'sqlite' ? group : group.forUpdate();
});

const deleteGroupRow = prepareQuery<GroupTables, OneGroup, object>((db, value) =>
  db
    .deleteFrom('probity_scim_groups')
    .where('organization_id', '=', value('organization_id'))
    .where('id', '=', value('id')),
);

/** The members of the group `r`. */
const MEMBERS_OF_ROW = rawFragment(`probity_scim_group_members as m
  left join probity_scim_users as u on u.id = m.member_id
  left join probity_scim_groups as g on g.id = m.member_id
  where m.group_id = r.id`);

/** Groups as filters see them. */
const GROUP_SEARCH: SearchTable = {
  name: 'probity_scim_groups',
  columns: {
    id: { expression: rawFragment('r.id'), values: 'text', isRequired: true },
    externalId: { expression: rawFragment('r.external_id'), values: 'text' },
    displayName: {
      expression: rawFragment('r.display_name_key'),
      values: 'text',
      isRequired: true,
      isOrdered: true,
    },
    'meta.created': {
      expression: rawFragment('r.created_at'),
      values: 'time',
      isRequired: true,
      isOrdered: true,
    },
    'meta.version': { expression: rawFragment(`('W/"' || r.version || '"')`), values: 'text' },
    'meta.lastModified': {
      expression: rawFragment('r.last_modified_at'),
      values: 'time',
      isRequired: true,
    },
  },
  relations: {
    members: {
      from: MEMBERS_OF_ROW,
      columns: {
        value: rawFragment('m.member_id'),
        type: rawFragment('lower(m.member_type)'),
        display: rawFragment('coalesce(u.display_name_key, u.user_name_key, g.display_name_key)'),
      },
    },
  },
  hasSearch: false,
  indexes: {
    id: { isUnique: true, find: (ids) => fragment`r.id ${isOneOf(ids)}` },
    externalId: {
      isUnique: false,
      find: (ids, own) => fragment`r.organization_id = ${own} and r.external_id is not null
        and substr(r.external_id, 1, 200) ${isOneOf(ids.map(toIndexed))}`,
    },
    displayName: {
      isUnique: true,
      find: (keys, own) =>
        fragment`r.organization_id = ${own} and r.display_name_key ${isOneOf(keys)}`,
    },
    members: {
      isUnique: false,
      find: (ids, own) => fragment`r.id in (
        select group_id from probity_scim_group_members
        where organization_id = ${own} and member_id ${isOneOf(ids)})`,
    },
  },
};

function listedGroups(session: SqlSession): ListedTable<GroupColumns, ScimGroup> {
  const { listGroupMembers } = createMembershipReads(session);
  return {
    search: GROUP_SEARCH,
    columns: GROUP_COLUMNS,
    toResource: toGroup,
    async select(filter, groups) {
      if (!namesAttribute(filter, 'members')) {
        return groups.filter((group) => matchesGroup(filter, group));
      }
      const matching: ScimGroup[] = [];
      for (const group of groups) {
        // One after another: groups are large.
        const members = await listGroupMembers(group.organizationId, [group.id]);
        if (matchesGroup(filter, group, members.get(group.id))) matching.push(group);
      }
      return matching;
    },
  };
}

/** Reads of groups besides those of memberships. */
type OwnReads = Omit<GroupReads, 'listGroupMembers' | 'listGroupsOf'>;
type OwnWrites = Omit<GroupWrites, 'addGroupMembers' | 'removeGroupMembers' | 'keepMembers'>;

/** Reads groups on a SQL session. */
export function createGroupReads(session: SqlSession): OwnReads {
  return {
    async findGroup(organizationId, id) {
      const [row] = await selectGroup(session, { organization_id: organizationId, id });
      return row ? toGroup(row) : null;
    },
    async findGroupByName(organizationId, displayName) {
      const key = { organization_id: organizationId, display_name_key: foldCase(displayName) };
      const [row] = await selectGroupByName(session, key);
      return row ? toGroup(row) : null;
    },
    listGroups: (organizationId, query) =>
      listResources(session, listedGroups(session), organizationId, query),
    countGroups: (organizationId) =>
      countRows(
        session
          .kysely<GroupTables>()
          .selectFrom('probity_scim_groups')
          .where('organization_id', '=', organizationId),
      ),
  };
}

/** Writes groups on a SQL session. */
export function createGroupWrites(session: SqlSession): OwnWrites {
  return {
    async insertGroup(group) {
      await uniquely(() => insertGroupRow(session, toGroupRow(group)));
    },
    async updateGroup(group) {
      const values = { ...toGroupRow(group), former: group.version - 1 };
      return (await uniquely(() => updateGroupRow(session, values))).length > 0;
    },
    async lockGroup(organizationId, id) {
      const [row] = await lockForChange(session, { organization_id: organizationId, id });
      return row ? toGroup(row) : null;
    },
    async touchGroup(organizationId, id, at) {
      const values = { organization_id: organizationId, id, at: at.getTime() };
      const [row] = await touchGroupRow(session, values);
      return row ? toGroup(row) : null;
    },
    async deleteGroup(organizationId, id, at) {
      const own = { organization_id: organizationId, id };
      const [found] = await lockForDeletion(session, own);
      if (!found) return false;
      await leaveGroups(session, { organizationId, memberId: id }, at);
      await deleteGroupRow(session, own);
      return true;
    },
  };
}

async function uniquely<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const columns = ['organization_id', 'display_name_key'];
    throw isUniqueViolation(error, 'probity_scim_groups', columns) ? groupNameInUse() : error;
  }
}

function toGroupRow(group: ScimGroup): GroupRow {
  return {
    organization_id: group.organizationId,
    id: group.id,
    display_name: group.displayName,
    display_name_key: foldCase(group.displayName),
    external_id: group.externalId,
    attributes: JSON.stringify(group.attributes),
    version: group.version,
    created_at: group.createdAt.getTime(),
    last_modified_at: group.lastModifiedAt.getTime(),
  };
}

function toGroup(row: GroupColumns): ScimGroup {
  return {
    id: row.id,
    organizationId: row.organization_id,
    version: row.version,
    createdAt: toDate(row.created_at),
    lastModifiedAt: toDate(row.last_modified_at),
    externalId: row.external_id,
    displayName: row.display_name,
    attributes: JSON.parse(row.attributes) as JsonObject,
  };
}
