import type { Migration } from '@probity/core/sql';

/** Tables of members and invitations. */
export const memberMigrations: readonly Migration[] = [
  {
    name: 'platform/0010_members',
    statements: [
      `create table probity_members (
        id text primary key,
        organization_id text not null references probity_organizations (id) on delete cascade,
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
      `create unique index probity_members_organization_id_email_key_unique
        on probity_members (organization_id, email_key)`,
      'create index probity_members_organization on probity_members (organization_id, created_at, id)',
      'create index probity_members_email_key on probity_members (email_key)',
      `create table probity_invitations (
        id text primary key,
        organization_id text not null references probity_organizations (id) on delete cascade,
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
      'create unique index probity_invitations_token_hash_unique on probity_invitations (token_hash)',
      'create index probity_invitations_organization on probity_invitations (organization_id, created_at, id)',
      'create index probity_invitations_member on probity_invitations (member_id)',
    ],
  },
  {
    name: 'platform/0011_members_by_status',
    statements: [
      'create index probity_members_status on probity_members (organization_id, status, role)',
    ],
  },
  {
    name: 'platform/0012_open_invitations',
    statements: [
      'drop index probity_invitations_member',
      `create index probity_invitations_member
        on probity_invitations (member_id, organization_id, accepted_at, revoked_at)`,
    ],
  },
  {
    name: 'platform/0013_members_in_order',
    statements: [
      'drop index probity_members_status',
      `create index probity_members_status
        on probity_members (organization_id, status, role, created_at, id)`,
    ],
  },
];
