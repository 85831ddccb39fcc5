import type { Migration } from '@probity/core/sql';

/** Migrations of the package. Apply `coreMigrations` first: the tables reference `probity_tenants`. */
export const evidenceMigrations: readonly Migration[] = [
  {
    name: 'evidence/0001_evidence',
    statements: [
      `create table probity_ai_systems (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        name text not null,
        description text,
        risk_class text,
        owner text,
        created_at bigint not null,
        updated_at bigint not null
      )`,
      `create index probity_ai_systems_organization
        on probity_ai_systems (organization_id, created_at, id)`,
      // The end of each organization's chain.
      `create table probity_evidence_heads (
        organization_id text primary key references probity_tenants (id) on delete cascade,
        sequence bigint not null,
        hash text not null,
        removed_through bigint not null,
        recorded_at bigint not null,
        sealed_end text
      )`,
      // The chains: a node for each record and each amendment, which stays when the record is removed.
      `create table probity_evidence_nodes (
        organization_id text not null references probity_tenants (id) on delete cascade,
        sequence bigint not null,
        id text not null,
        amends text,
        idempotency_key text,
        content_hash text not null,
        links_hash text not null,
        previous_hash text not null,
        hash text not null,
        created_at bigint not null,
        primary key (organization_id, sequence)
      )`,
      `create unique index probity_evidence_nodes_organization_id_idempotency_key_unique
        on probity_evidence_nodes (organization_id, idempotency_key)`,
      // Sets of obligations that records share, by the SHA-256 of their ids.
      `create table probity_evidence_link_sets (
        organization_id text not null references probity_tenants (id) on delete cascade,
        id text not null,
        obligations text not null,
        primary key (organization_id, id)
      )`,
      `create table probity_evidence_records (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        sequence bigint not null,
        evidence_type text not null,
        source text not null,
        title text not null,
        content text not null,
        metadata text not null,
        ai_system_id text references probity_ai_systems (id),
        labels text not null,
        link_set text not null,
        occurred_at bigint,
        created_at bigint not null,
        salt text not null,
        amendment bigint
      )`,
      `create unique index probity_evidence_records_organization_id_sequence_unique
        on probity_evidence_records (organization_id, sequence)`,
      `create index probity_evidence_records_ai_system
        on probity_evidence_records (ai_system_id, organization_id, sequence)`,
      `create index probity_evidence_records_type
        on probity_evidence_records (organization_id, evidence_type, sequence)`,
      `create index probity_evidence_records_link_set
        on probity_evidence_records (organization_id, link_set, sequence)`,
      `create index probity_evidence_records_created
        on probity_evidence_records (organization_id, created_at, sequence)`,
      // The labels of the records again, to be found by them.
      `create table probity_evidence_labels (
        organization_id text not null references probity_tenants (id) on delete cascade,
        name text not null,
        value text not null,
        sequence bigint not null,
        primary key (organization_id, name, value, sequence)
      )`,
      `create index probity_evidence_labels_record
        on probity_evidence_labels (organization_id, sequence)`,
    ],
  },
  {
    name: 'evidence/0002_runs',
    statements: [
      // Verification reads the labels of each record: with names and values in the index, SQLite prefers it to the primary
      // key also where it has no statistics.
      'drop index probity_evidence_labels_record',
      `create index probity_evidence_labels_record
        on probity_evidence_labels (organization_id, sequence, name, value)`,
      // The runs that records sum up, again, for trends.
      `create table probity_evidence_runs (
        organization_id text not null references probity_tenants (id) on delete cascade,
        sequence bigint not null,
        provider text not null,
        evaluated_at bigint not null,
        successes bigint not null,
        failures bigint not null,
        errors bigint not null,
        primary key (organization_id, sequence)
      )`,
      `create index probity_evidence_runs_time
        on probity_evidence_runs (organization_id, evaluated_at, sequence)`,
      `create index probity_evidence_runs_provider
        on probity_evidence_runs (organization_id, provider, evaluated_at, sequence)`,
      {
        sqlite: `insert into probity_evidence_runs
          select organization_id, sequence, json_extract(metadata, '$.providers[0]'),
            coalesce(occurred_at, created_at), json_extract(metadata, '$.stats.successes'),
            json_extract(metadata, '$.stats.failures'), json_extract(metadata, '$.stats.errors')
          from probity_evidence_records
          where evidence_type = 'evaltool_eval' and json_valid(metadata)
            and json_type(metadata, '$.findingType') is null
            and json_type(metadata, '$.providers[0]') = 'text'
            and json_type(metadata, '$.stats.successes') = 'integer'
            and json_type(metadata, '$.stats.failures') = 'integer'
            and json_type(metadata, '$.stats.errors') = 'integer'`,
        postgres: `insert into probity_evidence_runs
          select organization_id, sequence, m->'providers'->>0, coalesce(occurred_at, created_at),
            (m->'stats'->>'successes')::bigint, (m->'stats'->>'failures')::bigint,
            (m->'stats'->>'errors')::bigint
          from (
            select organization_id, sequence, occurred_at, created_at, metadata::jsonb as m
            from probity_evidence_records where evidence_type = 'evaltool_eval'
          ) r
          where m->'findingType' is null and jsonb_typeof(m->'providers'->0) = 'string'
            and jsonb_typeof(m->'stats'->'successes') = 'number'
            and jsonb_typeof(m->'stats'->'failures') = 'number'
            and jsonb_typeof(m->'stats'->'errors') = 'number'`,
      },
    ],
  },
  {
    name: 'evidence/0003_run_labels',
    statements: [
      `alter table probity_evidence_runs add column provider_label text not null default ''`,
      {
        sqlite: `update probity_evidence_runs set provider_label = coalesce((
            select json_extract(r.metadata, '$.providerLabels[0]') from probity_evidence_records r
            where r.organization_id = probity_evidence_runs.organization_id
              and r.sequence = probity_evidence_runs.sequence and json_valid(r.metadata)
              and json_array_length(r.metadata, '$.providerLabels') = 1
              and json_type(r.metadata, '$.providerLabels[0]') = 'text'
          ), '')`,
        postgres: `update probity_evidence_runs e set provider_label = r.label
          from (
            select organization_id, sequence, metadata::jsonb->'providerLabels'->>0 as label
            from probity_evidence_records where evidence_type = 'evaltool_eval'
              and jsonb_typeof(metadata::jsonb->'providerLabels') = 'array'
              and jsonb_array_length(metadata::jsonb->'providerLabels') = 1
              and jsonb_typeof(metadata::jsonb->'providerLabels'->0) = 'string'
          ) r
          where r.organization_id = e.organization_id and r.sequence = e.sequence`,
      },
    ],
  },
];
