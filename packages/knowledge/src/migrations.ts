import type { Migration } from '@probity/core/sql';

/** Migrations of the package. Apply `coreMigrations` first: the tables reference `probity_tenants`. */
export const knowledgeMigrations: readonly Migration[] = [
  {
    name: 'knowledge/0001_nuggets',
    statements: [
      `create table probity_nuggets (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        content_key text not null,
        claim text not null,
        source_url text not null,
        category text,
        confidence double precision,
        created_at bigint not null,
        updated_at bigint not null,
        sequence bigint not null
      )`,
      `create unique index probity_nuggets_organization_id_content_key_unique
        on probity_nuggets (organization_id, content_key)`,
      `create index probity_nuggets_organization
        on probity_nuggets (organization_id, created_at, id)`,
      `create index probity_nuggets_sequence
        on probity_nuggets (organization_id, sequence)`,
      `create index probity_nuggets_category
        on probity_nuggets (organization_id, category, created_at, id)`,
      `create index probity_nuggets_source
        on probity_nuggets (organization_id, source_url, created_at, id)`,
      // The last change of each knowledge base, and how many nuggets it has.
      `create table probity_knowledge_heads (
        organization_id text primary key references probity_tenants (id) on delete cascade,
        sequence bigint not null,
        nuggets bigint not null
      )`,
      // Deleted nuggets, so that an index of vectors that has them can follow.
      `create table probity_nugget_removals (
        nugget_id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        sequence bigint not null,
        removed_at bigint not null
      )`,
      `create index probity_nugget_removals_sequence
        on probity_nugget_removals (organization_id, sequence)`,
      `create index probity_nugget_removals_removed_at
        on probity_nugget_removals (removed_at, nugget_id)`,
    ],
  },
  {
    name: 'knowledge/0002_corrections',
    statements: [
      `create table probity_corrections (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        nugget_id text not null,
        claim text not null,
        correction text not null,
        source_url text not null,
        created_at bigint not null
      )`,
      `create index probity_corrections_organization
        on probity_corrections (organization_id, created_at, id)`,
      `create index probity_corrections_nugget
        on probity_corrections (organization_id, nugget_id, created_at, id)`,
    ],
  },
  {
    name: 'knowledge/0003_imports',
    statements: [
      `create table probity_knowledge_imports (
        id text primary key,
        organization_id text not null references probity_tenants (id) on delete cascade,
        format text not null,
        strict integer not null,
        status text not null,
        rows_read bigint not null,
        created bigint not null,
        updated bigint not null,
        unchanged bigint not null,
        failed bigint not null,
        errors text not null,
        problem text,
        created_at bigint not null,
        updated_at bigint not null,
        ended_at bigint
      )`,
      `create index probity_knowledge_imports_organization
        on probity_knowledge_imports (organization_id, created_at, id)`,
      `create index probity_knowledge_imports_created_at
        on probity_knowledge_imports (created_at, id)`,
    ],
  },
];
