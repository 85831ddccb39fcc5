import type { Migration } from '@probity/core/sql';

/** Tables of API keys and SCIM tokens. */
export const credentialMigrations: readonly Migration[] = [
  {
    name: 'platform/0020_credentials',
    statements: [
      `create table probity_api_keys (
        id text primary key,
        organization_id text not null references probity_organizations (id) on delete cascade,
        member_id text not null references probity_members (id) on delete cascade,
        name text not null,
        role text not null,
        prefix text not null,
        token_hash text not null,
        created_at bigint not null,
        last_used bigint,
        expires_at bigint,
        revoked_at bigint
      )`,
      'create unique index probity_api_keys_token_hash_unique on probity_api_keys (token_hash)',
      'create index probity_api_keys_organization on probity_api_keys (organization_id, created_at)',
      'create index probity_api_keys_member on probity_api_keys (member_id)',
      `create table probity_scim_tokens (
        id text primary key,
        organization_id text not null references probity_organizations (id) on delete cascade,
        prefix text not null,
        token_hash text not null,
        created_at bigint not null,
        last_used bigint,
        expires_at bigint,
        revoked_at bigint
      )`,
      'create unique index probity_scim_tokens_token_hash_unique on probity_scim_tokens (token_hash)',
      'create index probity_scim_tokens_organization on probity_scim_tokens (organization_id)',
    ],
  },
  {
    name: 'platform/0021_active_credentials',
    statements: [
      `create index probity_api_keys_active
        on probity_api_keys (organization_id, revoked_at, created_at, id)`,
      'drop index probity_api_keys_organization',
      `create index probity_scim_tokens_active
        on probity_scim_tokens (organization_id, revoked_at, created_at, id)`,
      'drop index probity_scim_tokens_organization',
    ],
  },
];
