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
    name: 'governance/0007_messages',
    statements: ['alter table probity_scans add column messages_hash text'],
  },
  {
    name: 'governance/0008_protected_texts',
    statements: [
      `create table probity_protected_texts (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        name text not null,
        kind text not null,
        length integer not null,
        hash text not null,
        sealed_text text not null,
        created_at bigint not null,
        updated_at bigint not null
      )`,
      `create index probity_protected_texts_organization
        on probity_protected_texts (organization_id, created_at, id)`,
      `create table probity_protected_text_generations (
        organization_id text primary key references probity_tenants (id) on delete cascade,
        generation bigint not null
      )`,
    ],
  },
  {
    name: 'governance/0010_alert_actions',
    statements: [
      'alter table probity_alerts add column ai_system_id text',
      'alter table probity_alerts add column acknowledged_at bigint',
      'alter table probity_alerts add column acknowledged_by text',
      'alter table probity_alerts add column assignee_id text',
      'alter table probity_alerts add column resolved_by text',
      "alter table probity_alerts add column search_text text not null default ''",
      `update probity_alerts set
        ai_system_id = (select scan.ai_system_id from probity_scans as scan where scan.id = scan_id),
        search_text = lower(message) || '\n' || lower(coalesce(resolution, ''))`,
      'create index probity_alerts_scan on probity_alerts (organization_id, scan_id, created_at, id)',
      `create index probity_alerts_assignee on probity_alerts (organization_id, assignee_id, created_at, id)
        where assignee_id is not null`,
      `create index probity_alerts_resolved on probity_alerts (organization_id, resolved_at, id)
        where resolved_at is not null`,
      `create table probity_alert_actions (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        alert_id text not null references probity_alerts (id) on delete cascade,
        action text not null,
        member_id text not null,
        text text,
        assignee_id text,
        created_at bigint not null
      )`,
      `create index probity_alert_actions_organization
        on probity_alert_actions (organization_id, alert_id, created_at, id)`,
      `create index probity_alert_actions_action
        on probity_alert_actions (organization_id, alert_id, action, created_at, id)`,
      'create index probity_alert_actions_alert on probity_alert_actions (alert_id)',
    ],
  },
  {
    name: 'governance/0011_upkeep',
    statements: [
      `create table probity_governance_settings (
        organization_id text primary key references probity_tenants (id) on delete cascade,
        retention_preset text not null,
        personal_scan_days integer not null,
        scan_days integer,
        resolved_alert_days integer,
        updated_at bigint not null
      )`,
      `create table probity_runtime_summaries (
        organization_id text primary key references probity_tenants (id) on delete cascade,
        summarized_until bigint not null
      )`,
      // Organizations have terms of their own.
      'drop index probity_scans_personal_data',
      `create index probity_scans_personal_data on probity_scans (organization_id, created_at)
        where personal_data = 1`,
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
  {
    name: 'governance/0016_certificates',
    statements: [
      `create table probity_signing_keys (
        id text primary key,
        x text not null,
        sealed_key text,
        signs integer unique,
        created_at bigint not null,
        retired_at bigint
      )`,
      // Without a reference to the key: keys belong to no organization.
      `create table probity_certificates (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        member_id text not null,
        content_hash text not null,
        key_id text not null,
        jws text not null,
        nuggets text not null,
        issued_at bigint not null,
        expires_at bigint not null,
        revoked_at bigint,
        revocation_reason text,
        revoked_by text
      )`,
      `create index probity_certificates_organization
        on probity_certificates (organization_id, issued_at, id)`,
      `create index probity_certificates_content
        on probity_certificates (organization_id, content_hash, issued_at, id)`,
      'create index probity_certificates_key on probity_certificates (key_id, expires_at)',
      // Without a reference to nuggets: they are another package's, and what was certified stays.
      `create table probity_certificate_nuggets (
        organization_id text not null references probity_tenants (id) on delete cascade,
        nugget_id text not null,
        issued_at bigint not null,
        certificate_id text not null references probity_certificates (id) on delete cascade,
        primary key (organization_id, nugget_id, issued_at, certificate_id)
      )`,
      `create index probity_certificate_nuggets_certificate
        on probity_certificate_nuggets (certificate_id)`,
    ],
  },
];
