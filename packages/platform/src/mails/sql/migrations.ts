import type { Migration } from '@probity/core/sql';

/** Table of mail counts; ids are a hash of the subject and the window. */
export const mailMigrations: readonly Migration[] = [
  {
    name: 'platform/0050_mail_counts',
    statements: [
      `create table probity_mail_counts (
        id text primary key,
        window_start bigint not null,
        mails integer not null
      )`,
      'create index probity_mail_counts_window on probity_mail_counts (window_start)',
    ],
  },
];
