import type { Migration } from '@probity/core/sql';
import { uniqueIndexName } from '@probity/core/sql';

/** A statement with the type of columns that SQL reads JSON from. */
function forBoth(statement: (json: string) => string) {
  return { sqlite: statement('text'), postgres: statement('jsonb') };
}

/**
 * Makes a name unique in its organization. PostgreSQL takes a partial index for no key that others may refer to, so that
 * a change of the name does not wait for additions of the row to groups: groups that are renamed and added to each other
 * at once would deadlock.
 */
function uniqueName(table: string, column: string) {
  const statement = `create unique index ${uniqueIndexName(table, ['organization_id', column])}
    on ${table} (organization_id, ${column})`;
  return { sqlite: statement, postgres: `${statement} where ${column} is not null` };
}

/**
 * Tables of users and groups; applied after the core's migrations. Texts with `key` in their name are folded, see
 * `foldValue`. Indexes hold the columns that their look-ups read: without statistics SQLite prefers such an index to
 * one that has more of the conditions. Indexes on values of any length hold the first 200 characters, since
 * PostgreSQL limits their rows.
 */
export const scimMigrations: readonly Migration[] = [
  {
    name: 'scim/0001_users_and_groups',
    statements: [
      // The attributes as filters compare them, see `toSearchable`.
      forBoth(
        (json) => `create table probity_scim_users (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        user_name text not null,
        user_name_key text not null,
        display_name text,
        display_name_key text,
        external_id text,
        active integer not null,
        account_id text,
        attributes text not null,
        version integer not null,
        created_at bigint not null,
        last_modified_at bigint not null,
        search ${json} not null
      )`,
      ),
      uniqueName('probity_scim_users', 'user_name_key'),
      `create unique index probity_scim_users_organization_id_account_id_unique
        on probity_scim_users (organization_id, account_id) where account_id is not null`,
      `create index probity_scim_users_created
        on probity_scim_users (organization_id, created_at, id)`,
      `create index probity_scim_users_external_id
        on probity_scim_users (organization_id, substr(external_id, 1, 200), created_at, id)
        where external_id is not null`,
      `create index probity_scim_users_display_name
        on probity_scim_users (organization_id, substr(display_name_key, 1, 200), created_at, id)
        where display_name_key is not null`,
      // The e-mail addresses of users, for look-ups: folded, and cut to 200 characters.
      `create table probity_scim_user_emails (
        organization_id text not null,
        value_key text not null,
        user_id text not null references probity_scim_users (id) on delete cascade,
        primary key (organization_id, value_key, user_id)
      )`,
      `create index probity_scim_user_emails_user
        on probity_scim_user_emails (user_id, value_key)`,
      `create table probity_scim_groups (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        display_name text not null,
        display_name_key text not null,
        external_id text,
        attributes text not null,
        version integer not null,
        created_at bigint not null,
        last_modified_at bigint not null
      )`,
      uniqueName('probity_scim_groups', 'display_name_key'),
      `create index probity_scim_groups_created
        on probity_scim_groups (organization_id, created_at, id)`,
      `create index probity_scim_groups_external_id
        on probity_scim_groups (organization_id, substr(external_id, 1, 200), created_at, id)
        where external_id is not null`,
      // A member is a user or a group: no foreign key can refer to both.
      `create table probity_scim_group_members (
        organization_id text not null,
        group_id text not null references probity_scim_groups (id) on delete cascade,
        member_id text not null,
        member_type text not null,
        added_at bigint not null,
        primary key (group_id, member_id)
      )`,
      `create index probity_scim_group_members_added
        on probity_scim_group_members (group_id, added_at, member_id)`,
      `create index probity_scim_group_members_member
        on probity_scim_group_members (organization_id, member_id, group_id)`,
    ],
  },
  {
    // The latest requests of each organization.
    name: 'scim/0002_requests',
    statements: [
      `create table probity_scim_requests (
        organization_id text not null references probity_tenants (id) on delete cascade,
        at bigint not null,
        place integer not null,
        id text not null,
        method text not null,
        path text not null,
        status integer not null,
        detail text,
        primary key (organization_id, at, place, id)
      )`,
    ],
  },
];
