import { billingMigrations } from './billing-migrations.ts';
import { memberMigrations } from './member-migrations.ts';
import type { Migration } from './migrator.ts';
import { serviceMigrations } from './service-migrations.ts';
import { signInMigrations } from './sign-in-migrations.ts';
import { usageMigrations } from './usage-migrations.ts';

/** Tables of the kernel and the platform. */
export const coreMigrations: readonly Migration[] = [
  {
    name: 'core/0001_organizations',
    statements: [
      `create table organizations (
        id text primary key,
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
        expires_at bigint,
        revoked_at bigint
      )`,
      'create unique index scim_tokens_token_hash_unique on scim_tokens (token_hash)',
      'create index scim_tokens_organization on scim_tokens (organization_id)',
    ],
  },
  {
    name: 'core/0002_events',
    statements: [
      `create table events (
        id text primary key,
        organization_id text not null references organizations (id) on delete cascade,
        type text not null,
        data text not null,
        request_id text,
        created_at bigint not null
      )`,
      'create index events_organization on events (organization_id, created_at)',
      'create index events_created on events (created_at)',
      `create table jobs (
        id text primary key,
        queue text not null,
        lane text not null,
        payload text not null,
        due_at bigint not null,
        lease_token text
      )`,
      'create index jobs_due on jobs (queue, due_at, id)',
      'create index jobs_lane on jobs (queue, lane)',
    ],
  },
  {
    name: 'core/0003_audit',
    statements: [
      `create table audit_entries (
        id text primary key,
        organization_id text not null references organizations (id) on delete cascade,
        sequence bigint not null,
        action text not null,
        actor_type text not null,
        actor_id text not null,
        credential_id text,
        target_type text not null,
        target_id text not null,
        before text,
        after text,
        address text,
        request_id text,
        previous_hash text not null,
        hash text not null,
        created_at bigint not null
      )`,
      `create unique index audit_entries_organization_id_sequence_unique
        on audit_entries (organization_id, sequence)`,
      'create index audit_entries_created on audit_entries (created_at)',
      `create table audit_heads (
        organization_id text primary key references organizations (id) on delete cascade,
        sequence bigint not null,
        hash text not null
      )`,
      `create table audit_checkpoints (
        organization_id text primary key references organizations (id) on delete cascade,
        sequence bigint not null,
        hash text not null
      )`,
    ],
  },
  {
    name: 'core/0004_idempotency',
    statements: [
      `create table idempotency_records (
        scope text primary key,
        fingerprint text not null,
        sealed_reply text not null,
        created_at bigint not null
      )`,
      'create index idempotency_records_created on idempotency_records (created_at)',
    ],
  },
  ...serviceMigrations,
  ...memberMigrations,
  ...billingMigrations,
  ...usageMigrations,
  ...signInMigrations,
];
