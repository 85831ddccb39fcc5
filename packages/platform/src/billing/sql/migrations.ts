import type { Migration } from '@probity/core/sql';

/** Tables of subscriptions and invoices. */
export const billingMigrations: readonly Migration[] = [
  {
    name: 'platform/0030_billing',
    statements: [
      `create table probity_subscriptions (
        organization_id text primary key references probity_organizations (id) on delete cascade,
        id text not null,
        status text not null,
        anchor bigint not null,
        cycle_start bigint not null,
        cycle_end bigint not null,
        billing_email text,
        auto_renew integer not null,
        credit_balance bigint not null
      )`,
      'create index probity_subscriptions_cycle_end on probity_subscriptions (status, cycle_end)',
      `create table probity_invoices (
        id text primary key,
        organization_id text not null references probity_organizations (id) on delete cascade,
        sequence integer not null,
        billed_to text not null,
        billing_email text,
        amount bigint not null,
        currency text not null,
        lines text not null,
        issued_at bigint not null,
        due_at bigint not null,
        status text not null
      )`,
      `create unique index probity_invoices_organization_id_sequence_unique
        on probity_invoices (organization_id, sequence)`,
    ],
  },
  {
    name: 'platform/0032_overdue_invoices',
    statements: [
      'create index probity_invoices_status on probity_invoices (organization_id, status, due_at)',
    ],
  },
  {
    name: 'platform/0036_billing_off',
    statements: [
      'alter table probity_subscriptions add column is_billed integer not null default 1',
    ],
  },
];
