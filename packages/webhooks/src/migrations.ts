import type { Migration } from '@probity/core/sql';

/**
 * Tables of webhooks and deliveries; applied after the core's migrations. Deleting an organization
 * deletes its deliveries through their webhook, so they have no foreign key to it.
 */
export const webhookMigrations: readonly Migration[] = [
  {
    name: 'webhooks/0001_webhooks',
    statements: [
      `create table probity_webhooks (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        url text not null,
        events text not null,
        active integer not null,
        sealed_secret text not null,
        created_at bigint not null,
        disabled_at bigint,
        disabled_reason text
      )`,
      'create index probity_webhooks_organization on probity_webhooks (organization_id, created_at, id)',
      `create table probity_webhook_deliveries (
        id text primary key,
        organization_id text not null,
        webhook_id text not null references probity_webhooks (id) on delete cascade,
        event_id text not null references probity_events (id) on delete cascade,
        event_type text not null,
        status text not null,
        attempts text not null,
        attempt_count integer not null,
        first_attempt_at bigint,
        next_attempt_at bigint,
        created_at bigint not null
      )`,
      `create unique index probity_webhook_deliveries_event_id_webhook_id_unique
        on probity_webhook_deliveries (event_id, webhook_id)`,
      `create index probity_webhook_deliveries_webhook
        on probity_webhook_deliveries (webhook_id, created_at, id)`,
      `create index probity_webhook_deliveries_pending
        on probity_webhook_deliveries (webhook_id) where status = 'pending'`,
    ],
  },
  {
    name: 'webhooks/0002_job_tenants',
    statements: ['probity_jobs', 'probity_failed_jobs'].map(
      (table) => `update ${table} set tenant_id = (
          select organization_id from probity_webhooks where probity_webhooks.id = group_key
        )
        where queue = 'webhooks.deliver' and exists (
          select 1 from probity_webhooks where probity_webhooks.id = group_key
        )`,
    ),
  },
  {
    name: 'webhooks/0003_delivery_filters',
    statements: [
      `create index probity_webhook_deliveries_status
        on probity_webhook_deliveries (webhook_id, status, created_at, id)`,
      `create index probity_webhook_deliveries_event_type
        on probity_webhook_deliveries (webhook_id, event_type, created_at, id)`,
      `create index probity_webhook_deliveries_organization
        on probity_webhook_deliveries (organization_id)`,
      // The index by status serves pending deliveries too.
      'drop index probity_webhook_deliveries_pending',
    ],
  },
  {
    name: 'webhooks/0004_withdrawals',
    statements: [
      'alter table probity_webhooks add column activation integer not null default 0',
      'alter table probity_webhooks add column deleted integer not null default 0',
      'alter table probity_webhook_deliveries add column activation integer not null default 0',
      'drop index probity_webhooks_organization',
      `create index probity_webhooks_organization
        on probity_webhooks (organization_id, deleted, created_at, id)`,
      `create index probity_webhook_deliveries_withdrawn
        on probity_webhook_deliveries (webhook_id, activation) where status = 'pending'`,
    ],
  },
  {
    // Each event looks for the webhooks that are on.
    name: 'webhooks/0005_active_webhooks',
    statements: [
      `create index probity_webhooks_active
        on probity_webhooks (organization_id, active, id)`,
    ],
  },
  {
    // The URL and the headers of the last attempt, as JSON.
    name: 'webhooks/0006_delivery_requests',
    statements: ['alter table probity_webhook_deliveries add column last_request text'],
  },
  {
    name: 'webhooks/0007_test_deliveries',
    statements: [
      'alter table probity_webhook_deliveries add column test integer not null default 0',
    ],
  },
  {
    // The present secret stays in the webhook's row.
    name: 'webhooks/0008_former_secrets',
    statements: [
      `create table probity_webhook_former_secrets (
        id text primary key,
        webhook_id text not null references probity_webhooks (id) on delete cascade,
        sealed_secret text not null,
        expires_at bigint not null
      )`,
      `create index probity_webhook_former_secrets_webhook
        on probity_webhook_former_secrets (webhook_id, expires_at)`,
      `create index probity_webhook_former_secrets_expiry
        on probity_webhook_former_secrets (expires_at)`,
    ],
  },
  {
    // The attempts of each hour by their duration, so that statistics read no deliveries.
    name: 'webhooks/0009_attempt_counts',
    statements: [
      `create table probity_webhook_attempt_counts (
        webhook_id text not null references probity_webhooks (id) on delete cascade,
        hour bigint not null,
        bucket integer not null,
        attempts integer not null,
        succeeded integer not null,
        primary key (webhook_id, hour, bucket)
      )`,
      `create index probity_webhook_attempt_counts_hour
        on probity_webhook_attempt_counts (hour)`,
    ],
  },
  {
    name: 'webhooks/0010_replays',
    statements: [
      `create table probity_webhook_replays (
        id text primary key,
        organization_id text not null,
        webhook_id text not null references probity_webhooks (id) on delete cascade,
        kind text not null,
        status text not null,
        activation integer not null,
        since bigint not null,
        until bigint not null,
        types text,
        total bigint not null,
        counted integer not null,
        done bigint not null,
        cursor_at bigint,
        cursor_id text,
        created_at bigint not null,
        ended_at bigint
      )`,
      `create index probity_webhook_replays_webhook
        on probity_webhook_replays (webhook_id, created_at, id)`,
      `create unique index probity_webhook_replays_running_unique
        on probity_webhook_replays (webhook_id) where status = 'running'`,
      `create index probity_webhook_replays_organization
        on probity_webhook_replays (organization_id)`,
      'create index probity_webhook_replays_ended on probity_webhook_replays (ended_at)',
      'alter table probity_webhook_deliveries add column replay_id text',
      // The deliveries of replays that wait for an attempt.
      `create index probity_webhook_deliveries_replay
        on probity_webhook_deliveries (replay_id, next_attempt_at)
        where status = 'pending' and replay_id is not null`,
    ],
  },
  {
    name: 'webhooks/0011_warnings',
    statements: [
      'alter table probity_webhooks add column warned_activation integer not null default -1',
    ],
  },
  {
    name: 'webhooks/0012_rate_limits',
    statements: ['alter table probity_webhooks add column rate_limit integer'],
  },
  {
    name: 'webhooks/0013_ordered_webhooks',
    statements: ['alter table probity_webhooks add column ordered integer not null default 0'],
  },
  {
    // Deliveries are sent again long after their creation.
    name: 'webhooks/0014_pending_since',
    statements: ['alter table probity_webhook_deliveries add column pending_since bigint'],
  },
  {
    name: 'webhooks/0015_formats',
    statements: ["alter table probity_webhooks add column format text not null default 'standard'"],
  },
];
