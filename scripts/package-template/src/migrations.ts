import type { Migration } from '@probity/core/sql';

/** Migrations of the package. Apply `coreMigrations` first: the tables reference `tenants`. */
export const sampleMigrations: readonly Migration[] = [
  {
    name: 'sample/0001___things__',
    statements: [
      `create table __things__ (
        id text primary key,
        organization_id text not null references tenants (id) on delete cascade,
        name text not null,
        created_at bigint not null
      )`,
      'create index __things___organization on __things__ (organization_id, created_at, id)',
    ],
  },
];
