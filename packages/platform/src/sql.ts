export { createSqlBillingStorage } from './billing/sql/storage.ts';
export { createSqlMemberStorage } from './members/sql/members.ts';
export { createSqlPlatformStorage } from './organizations/sql/storage.ts';
export { createSqlSignInStorage } from './sign-in/sql/storage.ts';
export { platformMigrations } from './sql/migrations.ts';
export { createSqlUsageStorage } from './usage/sql/storage.ts';
