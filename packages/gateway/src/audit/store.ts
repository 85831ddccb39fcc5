import type { ChainVerification } from '@probity/core/internal';
import type { AuditRow } from './rows.ts';

/** What is too old. */
export interface AuditAges {
  /** Rows from before are deleted. */
  readonly before: Date;
  /** Scans with personal data from before are deleted. */
  readonly personalBefore: Date;
}

/** The audit table. */
export interface AuditStore {
  /** Stores rows, all or none; those that are stored already are passed over. Acts become links of the chain. */
  insert(rows: readonly AuditRow[]): Promise<void>;
  /** Deletes at most `limit` rows that are too old, the oldest first. Returns how many. */
  deleteOld(ages: AuditAges, limit: number): Promise<number>;
  /** Deletes at most `limit` scans of a user, whose id may be stored in any of these forms. */
  deleteUser(userIds: readonly string[], limit: number): Promise<number>;
  /** Walks the chain of the acts. */
  verify(): Promise<ChainVerification>;
}
