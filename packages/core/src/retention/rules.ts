import { IDEMPOTENCY_WINDOW_MS } from '../idempotency/idempotency.ts';
import type { Logger } from '../logger.ts';
import type { Database, KernelWrites } from '../storage.ts';
import { INSTANCE_RETENTION_MS } from '../usage/instances.ts';
import type { UsageStorage } from '../usage/storage.ts';
import { createAuditTrimmer } from './audit.ts';
import type { RetentionRule } from './retention.ts';

const DAY_MS = 86_400_000;

/** What the core's rules need. */
export interface CoreRetentionDependencies {
  readonly database: Database;
  readonly usageStorage: UsageStorage;
  /** Told of audit logs that are broken and therefore left alone. */
  readonly logger: Logger;
}

/**
 * The rules for what the core stores (contract, section 2). Events take what was made of them along,
 * such as webhook deliveries, and stay while a job still needs them.
 */
export function coreRetentionRules(dependencies: CoreRetentionDependencies): RetentionRule[] {
  const { database, usageStorage } = dependencies;
  const inTransaction = (work: (tx: KernelWrites) => Promise<number>) =>
    database.transaction((session) => work(database.kernel(session)));
  return [
    {
      name: 'events',
      olderThanMs: 90 * DAY_MS,
      deleteBatch: (before, limit) => inTransaction((tx) => tx.deleteEvents(before, limit)),
    },
    {
      name: 'audit_log',
      olderThanMs: 90 * DAY_MS,
      deleteBatch: createAuditTrimmer(dependencies),
    },
    {
      name: 'idempotency_records',
      olderThanMs: IDEMPOTENCY_WINDOW_MS,
      deleteBatch: (before, limit) =>
        inTransaction((tx) => tx.deleteIdempotencyRecords(before, limit)),
    },
    {
      name: 'instances',
      olderThanMs: INSTANCE_RETENTION_MS,
      deleteBatch: (before, limit) =>
        usageStorage.transaction((tx) => tx.forgetInstances(before, limit)),
    },
  ];
}
