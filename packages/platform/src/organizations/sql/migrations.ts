import type { Migration } from '@probity/core/sql';

/** The table of organizations. */
export const organizationMigrations: readonly Migration[] = [
  {
    name: 'platform/0001_organizations',
    statements: [
      `create table probity_organizations (
        id text primary key references probity_tenants (id) on delete cascade,
        name text not null,
        slug text not null,
        description text,
        website text,
        timezone text not null,
        sso_enabled integer not null,
        sso_provider text,
        ip_allowlist text not null,
        data_residency text,
        plan text not null,
        created_at bigint not null
      )`,
      'create unique index probity_organizations_slug_unique on probity_organizations (slug)',
    ],
  },
];
