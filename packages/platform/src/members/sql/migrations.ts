import type { Migration } from '@probity/core/sql';

/** Tables of members and invitations. */
export const memberMigrations: readonly Migration[] = [
  {
    name: 'platform/0010_invitations',
    statements: [
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
      'create index members_organization on members (organization_id, created_at, id)',
    ],
  },
];
