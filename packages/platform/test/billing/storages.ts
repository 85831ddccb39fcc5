import type { SqlDatabase } from '@probity/core/sql';
import type { BillingOptions } from '../../src/billing/billing.ts';
import { createMemoryBillingStorage } from '../../src/billing/memory.ts';
import { createSqlBillingStorage } from '../../src/billing/sql/storage.ts';
import { createMemoryUsageStorage } from '../../src/usage/memory.ts';
import { createSqlUsageStorage } from '../../src/usage/sql/storage.ts';
import type { OpenedDatabase } from '../members/storages.ts';

/** The storages of subscriptions and of usage on a test's database. */
export function billingStoragesOf(
  opened: OpenedDatabase,
): Pick<BillingOptions, 'billingStorage' | 'usageStorage'> {
  if (opened.kind === 'sql') return sqlBillingStorages(opened.database);
  return {
    billingStorage: createMemoryBillingStorage(opened.database),
    usageStorage: createMemoryUsageStorage(opened.database),
  };
}

/** The same on a SQL database. */
export function sqlBillingStorages(
  database: SqlDatabase,
): Pick<BillingOptions, 'billingStorage' | 'usageStorage'> {
  return {
    billingStorage: createSqlBillingStorage(database),
    usageStorage: createSqlUsageStorage(database),
  };
}
