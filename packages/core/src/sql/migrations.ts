import type { Migration } from './migration.ts';

/** Tables of the kernel, which the tables of every package refer to. */
export const coreMigrations: readonly Migration[] = [
  {
    name: 'core/0001_tenants',
    statements: ['create table probity_tenants (id text primary key)'],
  },
  {
    name: 'core/0002_events',
    statements: [
      `create table probity_events (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        type text not null,
        data text not null,
        request_id text,
        created_at bigint not null
      )`,
      'create index probity_events_organization on probity_events (organization_id, created_at)',
      'create index probity_events_created on probity_events (created_at)',
      `create table probity_jobs (
        id text primary key,
        queue text not null,
        group_key text not null,
        payload text not null,
        due_at bigint not null,
        lease_token text,
        attempts integer not null,
        last_error text
      )`,
      'create index probity_jobs_due on probity_jobs (queue, due_at, id)',
      'create index probity_jobs_group on probity_jobs (queue, group_key)',
      `create table probity_failed_jobs (
        id text primary key,
        queue text not null,
        group_key text not null,
        payload text not null,
        attempts integer not null,
        last_error text not null,
        failed_at bigint not null
      )`,
      'create index probity_failed_jobs_failed on probity_failed_jobs (failed_at, id)',
      'create index probity_failed_jobs_queue on probity_failed_jobs (queue, failed_at, id)',
    ],
  },
  {
    name: 'core/0003_audit',
    statements: [
      `create table probity_audit_entries (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
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
      `create unique index probity_audit_entries_organization_id_sequence_unique
        on probity_audit_entries (organization_id, sequence)`,
      'create index probity_audit_entries_created on probity_audit_entries (created_at)',
      `create table probity_audit_heads (
        organization_id text primary key references probity_tenants (id) on delete cascade,
        sequence bigint not null,
        hash text not null
      )`,
      `create table probity_audit_checkpoints (
        organization_id text primary key references probity_tenants (id) on delete cascade,
        sequence bigint not null,
        hash text not null
      )`,
    ],
  },
  {
    name: 'core/0004_idempotency',
    statements: [
      `create table probity_idempotency_records (
        scope text primary key,
        fingerprint text not null,
        sealed_reply text not null,
        created_at bigint not null
      )`,
      'create index probity_idempotency_records_created on probity_idempotency_records (created_at)',
    ],
  },
  {
    name: 'core/0005_maintenance',
    statements: [
      `create table probity_maintenance (
        id text primary key,
        active integer not null,
        began_at bigint not null
      )`,
    ],
  },
  {
    name: 'core/0006_sealing_keys',
    statements: [
      `create table probity_sealing_keys (
        id text primary key,
        first_used_at bigint not null,
        retired_at bigint
      )`,
    ],
  },
  {
    name: 'core/0007_write_probes',
    statements: ['create table probity_write_probes (id text primary key, filler text not null)'],
  },
  {
    name: 'core/0008_idempotency_tenants',
    statements: [
      `alter table probity_idempotency_records
        add column organization_id text references probity_tenants (id) on delete cascade`,
      `create index probity_idempotency_records_organization
        on probity_idempotency_records (organization_id)`,
    ],
  },
  {
    name: 'core/0009_event_subscribers',
    statements: [
      'create table probity_event_subscribers (name text primary key, seen_at bigint not null)',
    ],
  },
  {
    // Jobs that are stored already get their group for a tenant: for the outbox and mails it is the
    // tenant, and other groups take turns as they did. Packages correct the jobs of their queues.
    name: 'core/0010_job_tenants',
    statements: [
      "alter table probity_jobs add column tenant_id text not null default ''",
      "alter table probity_failed_jobs add column tenant_id text not null default ''",
      'update probity_jobs set tenant_id = group_key',
      'update probity_failed_jobs set tenant_id = group_key',
      'drop index probity_jobs_group',
      'create index probity_jobs_tenant on probity_jobs (queue, tenant_id, due_at)',
      `create index probity_jobs_lane
        on probity_jobs (queue, tenant_id, group_key, due_at, id)`,
    ],
  },
  {
    name: 'core/0011_audit_filters',
    statements: [
      `create index probity_audit_entries_organization
        on probity_audit_entries (organization_id, created_at, sequence)`,
      `create index probity_audit_entries_actor
        on probity_audit_entries (organization_id, actor_id, created_at, sequence)`,
      `create index probity_audit_entries_action
        on probity_audit_entries (organization_id, action, created_at, sequence)`,
      // No statement searches the entries of all organizations by time.
      'drop index probity_audit_entries_created',
    ],
  },
  {
    // Logs that are stored already are sealed with their next entry.
    name: 'core/0012_audit_seals',
    statements: [
      'alter table probity_audit_heads add column keyed_from bigint',
      'alter table probity_audit_heads add column sealed_key text',
      'alter table probity_audit_heads add column mac text',
      'alter table probity_audit_checkpoints add column mac text',
    ],
  },
  {
    // The event that a job needs, which retention keeps meanwhile.
    name: 'core/0013_job_events',
    statements: [
      ...['probity_jobs', 'probity_failed_jobs'].flatMap((table) => [
        `alter table ${table} add column event_id text`,
        {
          sqlite: `update ${table} set event_id = json_extract(payload, '$.eventId')`,
          postgres: `update ${table} set event_id = cast(payload as json) ->> 'eventId'`,
        },
        `create index ${table}_event on ${table} (event_id) where event_id is not null`,
      ]),
      `create index probity_failed_jobs_tenant
        on probity_failed_jobs (queue, tenant_id)`,
      'drop index probity_events_created',
      'create index probity_events_created on probity_events (created_at, id)',
    ],
  },
  {
    // A record outlives its organization without its id, so that a removed log is known.
    name: 'core/0014_audit_register',
    statements: [
      `create table probity_audit_register (
        id text primary key,
        tenant_id text references probity_tenants (id) on delete set null,
        sealed_record text not null
      )`,
      `create unique index probity_audit_register_tenant_id_unique
        on probity_audit_register (tenant_id)`,
    ],
  },
  {
    // Set while the rows of a removed tenant are deleted.
    name: 'core/0015_tenant_removals',
    statements: ['alter table probity_tenants add column removed_at bigint'],
  },
  {
    // A test is stored like an event, and is none.
    name: 'core/0016_test_events',
    statements: ['alter table probity_events add column test integer not null default 0'],
  },
  {
    name: 'core/0017_scoped_tokens',
    statements: [
      `create table probity_scoped_tokens (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        kind text not null,
        token_hash text not null,
        member_id text not null,
        key_id text not null,
        session_id text,
        role text not null,
        plan text not null,
        scopes text not null,
        resource_ids text,
        created_at bigint not null,
        expires_at bigint not null
      )`,
      `create unique index probity_scoped_tokens_token_hash_unique
        on probity_scoped_tokens (token_hash)`,
      `create index probity_scoped_tokens_organization
        on probity_scoped_tokens (organization_id, kind, expires_at)`,
      `create index probity_scoped_tokens_member
        on probity_scoped_tokens (organization_id, kind, member_id)`,
      'create index probity_scoped_tokens_expiry on probity_scoped_tokens (expires_at)',
    ],
  },
  {
    // The groups of jobs that are claimed by a rule; most groups have none.
    name: 'core/0018_job_groups',
    statements: [
      `create table probity_job_groups (
        queue text not null,
        organization_id text not null references probity_tenants (id) on delete cascade,
        group_key text not null,
        starts_per_second integer,
        starts text not null,
        ordered integer not null,
        current_job text,
        opens_at bigint not null,
        primary key (queue, organization_id, group_key)
      )`,
      'create index probity_job_groups_opening on probity_job_groups (queue, opens_at)',
      `create index probity_job_groups_organization
        on probity_job_groups (organization_id)`,
    ],
  },
  {
    // Replays walk the events of an organization in this order.
    name: 'core/0019_event_order',
    statements: [
      'drop index probity_events_organization',
      `create index probity_events_organization
        on probity_events (organization_id, created_at, id)`,
    ],
  },
  {
    // Tokens in force are listed in this order, also those of a member.
    name: 'core/0020_scoped_token_order',
    statements: [
      'drop index probity_scoped_tokens_organization',
      'drop index probity_scoped_tokens_member',
      `create index probity_scoped_tokens_organization
        on probity_scoped_tokens (organization_id, kind, expires_at, id)`,
      `create index probity_scoped_tokens_member
        on probity_scoped_tokens (organization_id, kind, member_id, expires_at, id)`,
    ],
  },
  {
    name: 'core/0021_group_claims',
    statements: ['alter table probity_job_groups add column claimed_at bigint not null default 0'],
  },
];
