import { createAuditTrimmer } from '../audit/retention.ts';
import { DAY_MS } from '../clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { EventDependents } from '../events/retention.ts';
import { createEventRetention } from '../events/retention.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../idempotency/idempotency.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database, KernelOperations } from '../storage/database.ts';
import type { RetentionRule } from './retention.ts';

/** Dependencies of the core's rules. */
export interface CoreRetentionDependencies {
  readonly database: Database;
  /** Receives reports of audit logs that are broken and therefore left unchanged. */
  readonly logger: Logger;
  /** Opens the keys of audit logs. */
  readonly secretBox?: SecretBox | undefined;
  /** Records that refer to events and are removed before them. */
  readonly eventDependents?: readonly EventDependents[];
}

/**
 * The rules for the core's records (contract, section 2). Removing an event removes the rows
 * derived from it, such as webhook deliveries; an event is kept while a job still needs it.
 */
export function coreRetentionRules(dependencies: CoreRetentionDependencies): RetentionRule[] {
  const { database, eventDependents = [] } = dependencies;
  const inTransaction = (work: (tx: KernelOperations) => Promise<number>) =>
    database.transaction((session) => work(database.kernel(session)));
  return [
    {
      name: 'events',
      olderThanMs: 90 * DAY_MS,
      ...createEventRetention(database, eventDependents),
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
      name: 'scoped_tokens',
      olderThanMs: 0,
      deleteBatch: (before, limit) =>
        inTransaction((tx) => tx.deleteExpiredScopedTokens(before, limit)),
    },
    {
      name: 'event_subscribers',
      olderThanMs: 30 * DAY_MS,
      deleteBatch: (before) => inTransaction((tx) => tx.deleteSubscribers(before)),
    },
    {
      // Their subscriber was not registered for the term of the rule above.
      name: 'unclaimed_events',
      olderThanMs: 0,
      deleteBatch: (_before, limit) => inTransaction((tx) => tx.deleteUnclaimedJobs(limit)),
    },
    {
      name: 'failed_jobs',
      olderThanMs: 90 * DAY_MS,
      deleteBatch: (before, limit) => inTransaction((tx) => tx.deleteFailedJobs(before, limit)),
    },
  ];
}
