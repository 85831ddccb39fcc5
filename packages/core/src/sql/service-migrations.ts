import type { Migration } from './migrator.ts';

/** When SCIM tokens were used, whether the service is in maintenance, and its encryption keys. */
export const serviceMigrations: readonly Migration[] = [
  {
    name: 'core/0020_scim_token_use',
    statements: ['alter table scim_tokens add column last_used bigint'],
  },
  {
    name: 'core/0021_maintenance',
    statements: [
      `create table maintenance (
        id text primary key,
        active integer not null,
        began_at bigint not null
      )`,
    ],
  },
  {
    name: 'core/0022_sealing_keys',
    statements: [
      `create table sealing_keys (
        id text primary key,
        first_used_at bigint not null
      )`,
    ],
  },
  {
    name: 'core/0023_retired_sealing_keys',
    statements: ['alter table sealing_keys add column retired_at bigint'],
  },
  {
    name: 'core/0024_write_probes',
    statements: ['create table write_probes (id text primary key, filler text not null)'],
  },
];
