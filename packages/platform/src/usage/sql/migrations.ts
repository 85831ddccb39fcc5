import type { Migration } from '@probity/core/sql';

/** Tables of usage counters and of instances. */
export const usageMigrations: readonly Migration[] = [
  {
    name: 'platform/0031_usage',
    statements: [
      `create table probity_usage_units (
        organization_id text not null references probity_organizations (id) on delete cascade,
        quota text not null,
        period text not null,
        taken bigint not null,
        last_taken bigint not null,
        primary key (organization_id, quota, period)
      )`,
      `create table probity_instances (
        organization_id text not null references probity_organizations (id) on delete cascade,
        kind text not null,
        instance_id text not null,
        version text not null,
        first_seen bigint not null,
        last_seen bigint not null,
        primary key (organization_id, kind, instance_id)
      )`,
      'create index probity_instances_last_seen on probity_instances (organization_id, last_seen)',
    ],
  },
  {
    name: 'platform/0033_usage_of_periods',
    statements: [
      'create index probity_usage_units_period on probity_usage_units (organization_id, period)',
    ],
  },
  {
    // Retention finds instances by their last report, whosever they are; they are counted by kind.
    name: 'platform/0034_instances_by_report',
    statements: [
      'drop index probity_instances_last_seen',
      `create index probity_instances_last_seen
        on probity_instances (last_seen)`,
      `create index probity_instances_kind
        on probity_instances (organization_id, kind, last_seen)`,
    ],
  },
  {
    name: 'platform/0035_instance_minutes',
    statements: [
      `create table probity_instance_minutes (
        organization_id text not null references probity_organizations (id) on delete cascade,
        kind text not null,
        instance_id text not null,
        minute bigint not null,
        scans bigint not null,
        primary key (organization_id, kind, instance_id, minute)
      )`,
      'create index probity_instance_minutes_minute on probity_instance_minutes (minute)',
    ],
  },
];
