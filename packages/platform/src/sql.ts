import { bindStorage } from '@probity/core';
import { combineResources } from '@probity/core/internal';
import type { Migration, SqlDatabase, SqlSession } from '@probity/core/sql';
import { createSqlInvoices } from './billing/sql/invoices.ts';
import { billingMigrations } from './billing/sql/migrations.ts';
import { createSqlSubscriptions } from './billing/sql/subscriptions.ts';
import { createSqlApiKeys } from './credentials/sql/api-keys.ts';
import { credentialMigrations } from './credentials/sql/migrations.ts';
import { createSqlScimTokens } from './credentials/sql/scim-tokens.ts';
import { createSqlMailCounts } from './mails/sql/mail-counts.ts';
import { mailMigrations } from './mails/sql/migrations.ts';
import { createSqlInvitations } from './members/sql/invitations.ts';
import { createSqlMembers } from './members/sql/members.ts';
import { memberMigrations } from './members/sql/migrations.ts';
import { organizationMigrations } from './organizations/sql/migrations.ts';
import { createSqlOrganizations } from './organizations/sql/organizations.ts';
import { createSqlAccounts } from './sign-in/sql/accounts.ts';
import { createSqlSignInFailures } from './sign-in/sql/failures.ts';
import { signInMigrations } from './sign-in/sql/migrations.ts';
import { createSqlPasswordResets } from './sign-in/sql/password-resets.ts';
import { createSqlSecondFactors } from './sign-in/sql/second-factors.ts';
import { createSqlSessions } from './sign-in/sql/sessions.ts';
import type { PlatformReads, PlatformStorage, PlatformWrites } from './storage.ts';
import { createSqlInstances } from './usage/sql/instances.ts';
import { usageMigrations } from './usage/sql/migrations.ts';
import { createSqlUsage } from './usage/sql/usage.ts';

/** Migrations of the platform's tables; apply them after the kernel's, which they reference. */
export const platformMigrations: readonly Migration[] = [
  ...organizationMigrations,
  ...memberMigrations,
  ...credentialMigrations,
  ...billingMigrations,
  ...usageMigrations,
  ...signInMigrations,
  ...mailMigrations,
];

const { bind, bindOnDemand } = combineResources(
  createSqlOrganizations,
  createSqlMembers,
  createSqlInvitations,
  createSqlMailCounts,
  createSqlApiKeys,
  createSqlScimTokens,
  createSqlAccounts,
  createSqlSessions,
  createSqlSignInFailures,
  createSqlSecondFactors,
  createSqlPasswordResets,
  createSqlSubscriptions,
  createSqlInvoices,
  createSqlUsage,
  createSqlInstances,
);

/** Creates the platform's storage on SQLite or PostgreSQL. */
export function createSqlPlatformStorage(database: SqlDatabase): PlatformStorage {
  return bindStorage<SqlSession, PlatformReads, PlatformWrites>(database, bind, bindOnDemand);
}
