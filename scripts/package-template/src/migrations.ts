import type { Migration } from '@probity/core/sql';

/** Migrations of the package. Apply `coreMigrations` first: the tables reference `probity_tenants`. */
export const sampleMigrations: readonly Migration[] = [
  {
    name: 'sample/0001___things__',
    statements: [
      `create table probity___things__ (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        name text not null,
        created_at bigint not null
      )`,
      'create index probity___things___organization on probity___things__ (organization_id, created_at, id)',
    ],
  },
];
