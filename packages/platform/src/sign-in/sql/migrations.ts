import type { Migration } from '@probity/core/sql';

/** Tables of passwords, second factors and sessions. */
export const signInMigrations: readonly Migration[] = [
  {
    name: 'platform/0040_sign_in',
    statements: [
      `create table member_credentials (
        member_id text primary key references members (id) on delete cascade,
        organization_id text not null references organizations (id) on delete cascade,
        password_hash text,
        sealed_mfa_secret text,
        mfa_last_step bigint
      )`,
      'create index member_credentials_organization on member_credentials (organization_id)',
      `create table recovery_codes (
        code_hash text primary key,
        member_id text not null references members (id) on delete cascade,
        organization_id text not null references organizations (id) on delete cascade
      )`,
      'create index recovery_codes_member on recovery_codes (member_id)',
      'create index recovery_codes_organization on recovery_codes (organization_id)',
      `create table sessions (
        id text primary key,
        organization_id text not null references organizations (id) on delete cascade,
        member_id text not null references members (id) on delete cascade,
        family_hash text not null,
        refresh_hash text not null,
        previous_hash text,
        created_at bigint not null,
        last_used bigint not null,
        expires_at bigint not null,
        address text,
        user_agent text
      )`,
      'create unique index sessions_family_hash_unique on sessions (family_hash)',
      'create index sessions_member on sessions (member_id, created_at)',
      'create index sessions_organization on sessions (organization_id)',
      'create index sessions_expiry on sessions (expires_at)',
      `create table sign_in_failures (
        subject text primary key,
        failures integer not null,
        last_failed_at bigint not null,
        locked_until bigint
      )`,
      'create index sign_in_failures_age on sign_in_failures (last_failed_at)',
      `create table password_resets (
        member_id text primary key references members (id) on delete cascade,
        organization_id text not null references organizations (id) on delete cascade,
        token_hash text not null,
        sealed_token text,
        created_at bigint not null,
        expires_at bigint not null
      )`,
      'create unique index password_resets_token_hash_unique on password_resets (token_hash)',
      'create index password_resets_organization on password_resets (organization_id)',
      'create index password_resets_expiry on password_resets (expires_at)',
    ],
  },
];
