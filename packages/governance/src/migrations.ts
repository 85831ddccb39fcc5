import type { Migration } from '@probity/core/sql';

/** Tables of scans and alerts; applied after the core's migrations. */
export const governanceMigrations: readonly Migration[] = [
  {
    name: 'governance/0001_scans',
    statements: [
      `create table scans (
        id text primary key,
        organization_id text not null references tenants (id) on delete cascade,
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
      'create index scans_organization on scans (organization_id, created_at)',
      `create table alerts (
        id text primary key,
        organization_id text not null references tenants (id) on delete cascade,
        type text not null,
        severity text not null,
        status text not null,
        message text not null,
        scan_id text not null,
        created_at bigint not null,
        resolved_at bigint,
        resolution text
      )`,
      'create index alerts_organization on alerts (organization_id, created_at, id)',
      'create index alerts_status on alerts (organization_id, status, created_at, id)',
    ],
  },
  {
    name: 'governance/0002_personal_data',
    statements: [
      'alter table scans add column personal_data integer not null default 0',
      `update scans set personal_data = 1
        where findings like '%"stage":"pii_scanner"%' or finding_count >= 1000`,
      'create index scans_personal_data on scans (created_at) where personal_data = 1',
    ],
  },
];
