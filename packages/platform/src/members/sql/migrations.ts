import type { Migration } from '@probity/core/sql';

/** Tables of members and invitations. */
export const memberMigrations: readonly Migration[] = [
  {
    name: 'platform/0010_members',
    statements: [
      `create table members (
        id text primary key,
        organization_id text not null references organizations (id) on delete cascade,
        email text not null,
        email_key text not null,
        name text,
        role text not null,
        status text not null,
        suspended_by_admin bigint,
        suspended_by_scim bigint,
        mfa_enabled integer not null,
        created_at bigint not null,
        last_login bigint
      )`,
      `create unique index members_organization_id_email_key_unique
        on members (organization_id, email_key)`,
      'create index members_organization on members (organization_id, created_at, id)',
      'create index members_email_key on members (email_key)',
      `create table invitations (
        id text primary key,
        organization_id text not null references organizations (id) on delete cascade,
        member_id text not null,
        email text not null,
        role text not null,
        token_hash text not null,
        sealed_token text,
        created_at bigint not null,
        sent_at bigint not null,
        expires_at bigint not null,
        accepted_at bigint,
        revoked_at bigint
      )`,
      'create unique index invitations_token_hash_unique on invitations (token_hash)',
      'create index invitations_organization on invitations (organization_id, created_at, id)',
      'create index invitations_member on invitations (member_id)',
    ],
  },
];
