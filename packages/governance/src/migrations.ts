import type { Migration } from '@probity/core/sql';

/** Tables of scans, alerts and policies; applied after the core's migrations. */
export const governanceMigrations: readonly Migration[] = [
  {
    name: 'governance/0001_scans',
    statements: [
      `create table probity_scans (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        member_id text not null,
        key_id text not null,
        verdict text not null,
        scores text not null,
        findings text not null,
        finding_count integer not null,
        policy_ids text not null,
        violation text,
        metadata text not null,
        prompt_hash text,
        response_hash text not null,
        context_hash text,
        duration_us bigint not null,
        created_at bigint not null
      )`,
      'create index probity_scans_organization on probity_scans (organization_id, created_at)',
      `create table probity_alerts (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        type text not null,
        severity text not null,
        status text not null,
        message text not null,
        scan_id text not null,
        created_at bigint not null,
        resolved_at bigint,
        resolution text
      )`,
      'create index probity_alerts_organization on probity_alerts (organization_id, created_at, id)',
      'create index probity_alerts_status on probity_alerts (organization_id, status, created_at, id)',
    ],
  },
  {
    name: 'governance/0002_personal_data',
    statements: [
      'alter table probity_scans add column personal_data integer not null default 0',
      `update probity_scans set personal_data = 1
        where findings like '%"stage":"pii_scanner"%' or finding_count >= 1000`,
      'create index probity_scans_personal_data on probity_scans (created_at) where personal_data = 1',
    ],
  },
  {
    name: 'governance/0003_alert_filters',
    statements: [
      'create index probity_alerts_type on probity_alerts (organization_id, type, created_at, id)',
      'create index probity_alerts_severity on probity_alerts (organization_id, severity, created_at, id)',
    ],
  },
  {
    name: 'governance/0004_policies',
    statements: [
      `create table probity_policies (
        organization_id text not null references probity_tenants (id) on delete cascade,
        id text not null,
        version integer not null,
        name text not null,
        description text,
        enabled integer not null,
        mode text not null,
        is_default integer not null,
        key_ids text,
        rules text not null,
        created_at bigint not null,
        updated_at bigint not null,
        primary key (organization_id, id)
      )`,
      `create index probity_policies_organization
        on probity_policies (organization_id, created_at, id)`,
      // Without a reference to policies: the versions of a deleted policy stay.
      `create table probity_policy_versions (
        organization_id text not null references probity_tenants (id) on delete cascade,
        policy_id text not null,
        version integer not null,
        name text not null,
        description text,
        enabled integer not null,
        mode text not null,
        is_default integer not null,
        key_ids text,
        rules text not null,
        member_id text,
        created_at bigint not null,
        primary key (organization_id, policy_id, version)
      )`,
      `create table probity_policy_generations (
        organization_id text primary key references probity_tenants (id) on delete cascade,
        generation bigint not null
      )`,
      // Scans before policies had versions were judged by their first ones.
      "alter table probity_scans add column policies text not null default '[]'",
      'alter table probity_scans add column monitored text',
      `update probity_scans set policies =
        replace(replace(replace(policy_ids, '","', '","version":1,"mode":"enforce"},{"id":"'),
          '["', '[{"id":"'), '"]', '","version":1,"mode":"enforce"}]')`,
      'alter table probity_scans drop column policy_ids',
    ],
  },
  {
    name: 'governance/0005_judged_scans',
    statements: [
      'alter table probity_scans add column named_policies text',
      'alter table probity_scans add column facts text',
      'drop index probity_scans_organization',
      'create index probity_scans_organization on probity_scans (organization_id, created_at, id)',
    ],
  },
  {
    name: 'governance/0006_scan_lists',
    statements: [
      'alter table probity_scans add column ai_system_id text',
      'create index probity_scans_verdict on probity_scans (organization_id, verdict, created_at, id)',
      'create index probity_scans_key on probity_scans (organization_id, key_id, created_at, id)',
      `create index probity_scans_ai_system on probity_scans (organization_id, ai_system_id, created_at, id)
        where ai_system_id is not null`,
      `create table probity_scan_marks (
        organization_id text not null references probity_tenants (id) on delete cascade,
        kind text not null,
        value text not null,
        created_at bigint not null,
        scan_id text not null references probity_scans (id) on delete cascade,
        primary key (organization_id, kind, value, created_at, scan_id)
      )`,
      'create index probity_scan_marks_scan on probity_scan_marks (scan_id)',
    ],
  },
  {
    name: 'governance/0013_scan_batches',
    statements: [
      `create table probity_scan_batches (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        member_id text not null,
        key_id text not null,
        request_id text not null,
        status text not null,
        total integer not null,
        allowed integer not null,
        flagged integer not null,
        blocked integer not null,
        errors integer not null,
        canceled integer not null,
        created_at bigint not null,
        ended_at bigint
      )`,
      `create index probity_scan_batches_organization
        on probity_scan_batches (organization_id, created_at, id)`,
      `create index probity_scan_batches_running on probity_scan_batches (organization_id)
        where ended_at is null`,
      'create index probity_scan_batches_ended on probity_scan_batches (ended_at)',
      `create table probity_scan_batch_items (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        batch_id text not null references probity_scan_batches (id) on delete cascade,
        position integer not null,
        status text not null,
        scan_id text,
        verdict text,
        error text,
        sealed text
      )`,
      `create unique index probity_scan_batch_items_position
        on probity_scan_batch_items (batch_id, position)`,
      `create index probity_scan_batch_items_organization
        on probity_scan_batch_items (organization_id, batch_id, position)`,
      `create index probity_scan_batch_items_status
        on probity_scan_batch_items (organization_id, batch_id, status, position)`,
      `create index probity_scan_batch_items_verdict
        on probity_scan_batch_items (organization_id, batch_id, verdict, position)`,
    ],
  },
];
