import type { SqlSession } from '@probity/core/sql';
import {
  countRows,
  insertMany,
  isUniqueViolation,
  prepareInsert,
  prepareQuery,
  prepareUpdate,
  toDate,
} from '@probity/core/sql';
import { foldCase, foldMailbox } from '../filters/compare-values.ts';
import { fragment, isOneOf, rawFragment } from '../filters/fragment.ts';
import { matchesUser } from '../filters/matches.ts';
import { namesAttribute } from '../filters/named.ts';
import type { SearchTable } from '../filters/search-table.ts';
import { toSearchable } from '../filters/searchable.ts';
import { comparedTexts } from '../filters/sql.ts';
import { createMembershipReads, leaveGroups } from '../groups/sql/members.ts';
import type { ListedTable } from '../resources/list-sql.ts';
import { listResources } from '../resources/list-sql.ts';
import { userNameInUse } from '../resources/names.ts';
import type { ResourceRow } from '../resources/sql.ts';
import { toIndexed, toIndexedMailbox } from '../resources/sql.ts';
import type { ScimUser } from '../resources/types.ts';
import { USER } from '../schemas/resource-types.ts';
import type { JsonObject } from '../schemas/types.ts';
import { USER_NAME } from '../schemas/user.ts';
import { displayNameOf, emailsOf } from './attributes.ts';
import type { UserReads, UserWrites } from './storage.ts';

/** The tables of users. */
interface UserTables {
  probity_scim_users: UserRow;
  probity_scim_user_emails: EmailRow;
}

interface UserRow extends ResourceRow {
  user_name: string;
  user_name_key: string;
  display_name: string | null;
  display_name_key: string | null;
  active: number;
  account_id: string | null;
  /** JSON, see `toSearchable`. */
  search: string;
}

interface EmailRow {
  organization_id: string;
  value_key: string;
  user_id: string;
}

/** The columns of a `ScimUser`. */
const USER_COLUMNS = [
  'organization_id',
  'id',
  'user_name',
  'external_id',
  'active',
  'account_id',
  'attributes',
  'version',
  'created_at',
  'last_modified_at',
] as const;

type UserColumns = Pick<UserRow, (typeof USER_COLUMNS)[number]>;

type OneUser = Pick<UserRow, 'organization_id' | 'id'>;

const selectUser = prepareQuery<UserTables, OneUser, UserColumns>((db, value) =>
  db
    .selectFrom('probity_scim_users')
    .select(USER_COLUMNS)
    .where('organization_id', '=', value('organization_id'))
    .where('id', '=', value('id')),
);

const selectUserByName = prepareQuery<
  UserTables,
  Pick<UserRow, 'organization_id' | 'user_name_key'>,
  UserColumns
>((db, value) =>
  db
    .selectFrom('probity_scim_users')
    .select(USER_COLUMNS)
    .where('organization_id', '=', value('organization_id'))
    .where('user_name_key', '=', value('user_name_key')),
);

/** Of a user that is known to belong to the organization. */
const deleteEmails = prepareQuery<UserTables, OneUser, object>((db, value) =>
  db.deleteFrom('probity_scim_user_emails').where('user_id', '=', value('id')),
);

const insertUserRow = prepareInsert<UserRow>('probity_scim_users', [
  ...USER_COLUMNS,
  'user_name_key',
  'display_name',
  'display_name_key',
  'search',
]);

const updateUserRow = prepareUpdate<UserRow, 'organization_id' | 'id' | 'version', 'id'>(
  'probity_scim_users',
  ['organization_id', 'id', 'version'],
  ['id'],
);

/** Additions to groups share this lock: a user that is deleted gets no memberships meanwhile. */
const lockUser = prepareQuery<UserTables, OneUser, OneUser>((db, value, dialect) => {
  const user = db
    .selectFrom('probity_scim_users')
    .select(['organization_id', 'id'])
    .where('organization_id', '=', value('organization_id'))
    .where('id', '=', value('id'));
  return dialect === 'sqlite' ? user : user.forUpdate();
});

const deleteUserRow = prepareQuery<UserTables, OneUser, object>((db, value) =>
  db
    .deleteFrom('probity_scim_users')
    .where('organization_id', '=', value('organization_id'))
    .where('id', '=', value('id')),
);

/** Users as filters see them. */
const USER_SEARCH: SearchTable = {
  name: 'probity_scim_users',
  columns: {
    id: { expression: rawFragment('r.id'), values: 'text', isRequired: true },
    userName: {
      expression: rawFragment('r.user_name_key'),
      values: 'text',
      isRequired: true,
      isOrdered: true,
    },
    externalId: { expression: rawFragment('r.external_id'), values: 'text' },
    displayName: { expression: rawFragment('r.display_name_key'), values: 'text' },
    active: { expression: rawFragment('r.active'), values: 'boolean', isRequired: true },
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
  relations: {},
  hasSearch: true,
  indexes: {
    id: { isUnique: true, find: (ids) => fragment`r.id ${isOneOf(ids)}` },
    userName: {
      isUnique: true,
      find: (keys, own) =>
        fragment`r.organization_id = ${own} and r.user_name_key ${isOneOf(keys)}`,
    },
    externalId: {
      isUnique: false,
      find: (ids, own) => fragment`r.organization_id = ${own} and r.external_id is not null
        and substr(r.external_id, 1, 200) ${isOneOf(ids.map(toIndexed))}`,
    },
    displayName: {
      isUnique: false,
      find: (keys, own) => fragment`r.organization_id = ${own} and r.display_name_key is not null
        and substr(r.display_name_key, 1, 200) ${isOneOf(keys.map(toIndexed))}`,
    },
    emails: {
      isUnique: false,
      find: (keys, own) => fragment`r.id in (
        select user_id from probity_scim_user_emails
        where organization_id = ${own} and value_key ${isOneOf(keys.map(toIndexed))})`,
    },
  },
};

function listedUsers(session: SqlSession): ListedTable<UserColumns, ScimUser> {
  const { listGroupsOf } = createMembershipReads(session);
  return {
    search: USER_SEARCH,
    columns: USER_COLUMNS,
    toResource: toUser,
    async select(filter, users) {
      const [first] = users;
      const ids = users.map(({ id }) => id);
      const groups =
        first && namesAttribute(filter, 'groups')
          ? await listGroupsOf(first.organizationId, ids)
          : null;
      return users.filter((user) => matchesUser(filter, user, groups?.get(user.id)));
    },
  };
}

/** Reads users on a SQL session. */
export function createUserReads(session: SqlSession): UserReads {
  return {
    async findUser(organizationId, id) {
      const [row] = await selectUser(session, { organization_id: organizationId, id });
      return row ? toUser(row) : null;
    },
    async findUserByName(organizationId, userName) {
      for (const key of comparedTexts(USER_NAME, 'eq', userName)) {
        const own = { organization_id: organizationId, user_name_key: key };
        const [row] = await selectUserByName(session, own);
        if (row) return toUser(row);
      }
      return null;
    },
    listUsers: (organizationId, query) =>
      listResources(session, listedUsers(session), organizationId, query),
    countUsers: (organizationId) =>
      countRows(
        session
          .kysely<UserTables>()
          .selectFrom('probity_scim_users')
          .where('organization_id', '=', organizationId),
      ),
  };
}

/** Writes users on a SQL session. */
export function createUserWrites(session: SqlSession): UserWrites {
  return {
    async insertUser(user) {
      await uniquely(() => insertUserRow(session, toUserRow(user)));
      await insertMany(session, 'probity_scim_user_emails', toEmailRows(user));
    },
    async updateUser(user, before) {
      const { organizationId: organization_id, id } = user;
      const key = { organization_id, id, version: user.version - 1 };
      const [updated] = await uniquely(() =>
        updateUserRow(session, key, toChangedColumns(user, before)),
      );
      if (!updated) return false;
      await replaceEmails(session, user, before);
      return true;
    },
    async deleteUser(organizationId, id, at) {
      const own = { organization_id: organizationId, id };
      const [found] = await lockUser(session, own);
      if (!found) return false;
      await leaveGroups(session, { organizationId, memberId: id }, at);
      await deleteUserRow(session, own);
      return true;
    },
  };
}

/** Writes the e-mail addresses if they are others than before, which is rare. */
async function replaceEmails(session: SqlSession, user: ScimUser, before: ScimUser): Promise<void> {
  if (user.attributes.emails === before.attributes.emails) return;
  const former = new Set(toEmailRows(before).map((row) => row.value_key));
  const rows = toEmailRows(user);
  if (rows.length === former.size && rows.every((row) => former.has(row.value_key))) return;
  await deleteEmails(session, { organization_id: user.organizationId, id: user.id });
  await insertMany(session, 'probity_scim_user_emails', rows);
}

async function uniquely<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isInUse = ['user_name_key', 'account_id'].some((column) =>
      isUniqueViolation(error, 'probity_scim_users', ['organization_id', column]),
    );
    throw isInUse ? userNameInUse() : error;
  }
}

function toEmailRows(user: ScimUser): EmailRow[] {
  const keys = new Set(emailsOf(user).map(toIndexedMailbox));
  return Array.from(keys, (key) => ({
    organization_id: user.organizationId,
    value_key: key,
    user_id: user.id,
  }));
}

function toUserRow(user: ScimUser): UserRow {
  const displayName = displayNameOf(user);
  return {
    organization_id: user.organizationId,
    id: user.id,
    user_name: user.userName,
    user_name_key: foldMailbox(user.userName),
    display_name: displayName,
    display_name_key: displayName === null ? null : foldCase(displayName),
    external_id: user.externalId,
    active: Number(user.active),
    account_id: user.accountId,
    attributes: JSON.stringify(user.attributes),
    search: toSearchable(user.attributes, USER),
    version: user.version,
    created_at: user.createdAt.getTime(),
    last_modified_at: user.lastModifiedAt.getTime(),
  };
}

/** Columns with an index are left out where they stay the same, since SQLite would write their indexes. */
function toChangedColumns(user: ScimUser, before: ScimUser): Partial<UserRow> {
  const { organization_id, id, created_at, ...columns } = toUserRow(user);
  const {
    user_name,
    user_name_key,
    display_name,
    display_name_key,
    external_id,
    account_id,
    ...rest
  } = columns;
  return {
    ...rest,
    ...(before.userName === user.userName ? {} : { user_name, user_name_key }),
    ...(displayNameOf(before) === display_name ? {} : { display_name, display_name_key }),
    ...(before.externalId === external_id ? {} : { external_id }),
    ...(before.accountId === account_id ? {} : { account_id }),
  };
}

function toUser(row: UserColumns): ScimUser {
  return {
    id: row.id,
    organizationId: row.organization_id,
    version: row.version,
    createdAt: toDate(row.created_at),
    lastModifiedAt: toDate(row.last_modified_at),
    externalId: row.external_id,
    userName: row.user_name,
    active: row.active === 1,
    attributes: JSON.parse(row.attributes) as JsonObject,
    accountId: row.account_id,
  };
}
