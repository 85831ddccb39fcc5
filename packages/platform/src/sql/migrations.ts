import type { Migration } from '@probity/core/sql';
import { billingMigrations } from '../billing/sql/migrations.ts';
import { memberMigrations } from '../members/sql/migrations.ts';
import { signInMigrations } from '../sign-in/sql/migrations.ts';
import { usageMigrations } from '../usage/sql/migrations.ts';

/** Tables of the platform; they refer to the kernel's, which are made first. */
export const platformMigrations: readonly Migration[] = [
  {
    name: 'platform/0001_organizations',
    statements: [
      `create table organizations (
        id text primary key references tenants (id) on delete cascade,
        name text not null,
        slug text not null,
        description text,
        website text,
        timezone text not null,
        sso_enabled integer not null,
        sso_provider text,
        ip_allowlist text not null,
        data_residency text,
        plan text not null,
        created_at bigint not null
      )`,
      'create unique index organizations_slug_unique on organizations (slug)',
      `create table members (
        id text primary key,
        organization_id text not null references organizations (id) on delete cascade,
        email text not null,
        email_key text not null,
        name text,
        role text not null,
        status text not null,
        mfa_enabled integer not null,
        created_at bigint not null,
        last_login bigint
      )`,
      `create unique index members_organization_id_email_key_unique
        on members (organization_id, email_key)`,
      `create table api_keys (
        id text primary key,
        organization_id text not null references organizations (id) on delete cascade,
        member_id text not null references members (id) on delete cascade,
        name text not null,
        role text not null,
        prefix text not null,
        token_hash text not null,
        created_at bigint not null,
        last_used bigint,
        expires_at bigint,
        revoked_at bigint
      )`,
      'create unique index api_keys_token_hash_unique on api_keys (token_hash)',
      'create index api_keys_organization on api_keys (organization_id, created_at)',
      'create index api_keys_member on api_keys (member_id)',
      `create table scim_tokens (
        id text primary key,
        organization_id text not null references organizations (id) on delete cascade,
        prefix text not null,
        token_hash text not null,
        created_at bigint not null,
        last_used bigint,
        expires_at bigint,
        revoked_at bigint
      )`,
      'create unique index scim_tokens_token_hash_unique on scim_tokens (token_hash)',
      'create index scim_tokens_organization on scim_tokens (organization_id)',
    ],
  },
  ...memberMigrations,
  ...billingMigrations,
  ...usageMigrations,
  ...signInMigrations,
];
