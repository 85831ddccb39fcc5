import { createHash } from 'node:crypto';
import type { Migration } from '@probity/core/sql';

/** The ends of the chains of all audit tables of a database. */
export const CHAINS_TABLE = 'gateway_audit_chains';

/** The migrations of an audit table; another name has a table of its own. */
export function auditMigrations(table: string): Migration[] {
  // A name may be as long as a name can be, so that nothing can be added to it.
  const index = `gateway_${createHash('sha256').update(table).digest('hex').slice(0, 16)}`;
  return [
    {
      name: 'gateway/0001_audit_chains',
      statements: [
        `create table ${CHAINS_TABLE} (
          name text primary key,
          sequence bigint not null,
          hash text not null,
          kept_sequence bigint not null,
          kept_hash text not null
        )`,
      ],
    },
    {
      name: 'gateway/0003_audit_seals',
      statements: [
        `alter table ${CHAINS_TABLE} add column seal text`,
        `alter table ${CHAINS_TABLE} add column sealed_from bigint`,
      ],
    },
    {
      name: `gateway/0002_audit:${table}`,
      statements: [
        `create table "${table}" (
          id text primary key,
          kind text not null,
          created_at bigint not null,
          request_id text,
          client_id text not null,
          user_id text,
          address text,
          action text not null,
          result text not null,
          degraded integer not null,
          personal integer not null,
          duration_ms double precision,
          config_hash text not null,
          reason text,
          detail text not null,
          sequence bigint,
          previous_hash text,
          hash text
        )`,
        `create index ${index}_created on "${table}" (created_at)`,
        `create index ${index}_personal on "${table}" (created_at) where personal = 1`,
        `create index ${index}_user on "${table}" (user_id) where user_id is not null`,
        `create unique index ${index}_sequence on "${table}" (sequence) where sequence is not null`,
        `insert into ${CHAINS_TABLE} (name, sequence, hash, kept_sequence, kept_hash)
          values ('${table}', 0, '', 0, '') on conflict (name) do nothing`,
      ],
    },
  ];
}
