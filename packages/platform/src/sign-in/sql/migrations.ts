import type { Migration } from '@probity/core/sql';

/** Tables of passwords, second factors and sessions. */
export const signInMigrations: readonly Migration[] = [
  {
    name: 'platform/0040_sign_in',
    statements: [
      `create table probity_member_credentials (
        member_id text primary key references probity_members (id) on delete cascade,
        organization_id text not null references probity_organizations (id) on delete cascade,
        password_hash text,
        sealed_mfa_secret text,
        mfa_last_step bigint
      )`,
      'create index probity_member_credentials_organization on probity_member_credentials (organization_id)',
      `create table probity_recovery_codes (
        code_hash text primary key,
        member_id text not null references probity_members (id) on delete cascade,
        organization_id text not null references probity_organizations (id) on delete cascade
      )`,
      'create index probity_recovery_codes_member on probity_recovery_codes (member_id)',
      'create index probity_recovery_codes_organization on probity_recovery_codes (organization_id)',
      `create table probity_sessions (
        id text primary key,
        organization_id text not null references probity_organizations (id) on delete cascade,
        member_id text not null references probity_members (id) on delete cascade,
        family_hash text not null,
        refresh_hash text not null,
        previous_hash text,
        created_at bigint not null,
        last_used bigint not null,
        expires_at bigint not null,
        address text,
        user_agent text
      )`,
      'create unique index probity_sessions_family_hash_unique on probity_sessions (family_hash)',
      'create index probity_sessions_member on probity_sessions (member_id, created_at)',
      'create index probity_sessions_organization on probity_sessions (organization_id)',
      'create index probity_sessions_expiry on probity_sessions (expires_at)',
      `create table probity_sign_in_failures (
        subject text primary key,
        failures integer not null,
        last_failed_at bigint not null,
        locked_until bigint
      )`,
      'create index probity_sign_in_failures_age on probity_sign_in_failures (last_failed_at)',
      `create table probity_password_resets (
        member_id text primary key references probity_members (id) on delete cascade,
        organization_id text not null references probity_organizations (id) on delete cascade,
        token_hash text not null,
        sealed_token text,
        created_at bigint not null,
        expires_at bigint not null
      )`,
      'create unique index probity_password_resets_token_hash_unique on probity_password_resets (token_hash)',
      'create index probity_password_resets_organization on probity_password_resets (organization_id)',
      'create index probity_password_resets_expiry on probity_password_resets (expires_at)',
    ],
  },
  {
    // The indexes by organization alone are replaced by ones that begin with it.
    name: 'platform/0041_sign_in_of_members',
    statements: [
      `create index probity_sessions_own
        on probity_sessions (organization_id, member_id, created_at, id)`,
      'drop index probity_sessions_organization',
      `create index probity_recovery_codes_own
        on probity_recovery_codes (organization_id, member_id)`,
      'drop index probity_recovery_codes_organization',
    ],
  },
];
