import type { Migration } from '@probity/core/sql';

/** Tables of integrations; applied after the core's migrations. */
export const integrationsMigrations: readonly Migration[] = [
  {
    name: 'integrations/0001_integrations',
    statements: [
      `create table probity_integrations (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        type text not null,
        target text not null,
        client_id text not null,
        sealed_secret text not null,
        routing text,
        status text not null,
        last_error text,
        last_error_at bigint,
        created_at bigint not null,
        updated_at bigint not null
      )`,
      `create unique index probity_integrations_organization_type_unique
        on probity_integrations (organization_id, type)`,
      `create index probity_integrations_organization
        on probity_integrations (organization_id, created_at, id)`,
      // Each alert looks for those that have one.
      `create index probity_integrations_routed
        on probity_integrations (organization_id, id) where routing is not null`,
    ],
  },
];
