import type { ChainFault } from '@probity/core/internal';
import type { AuditRow } from './rows.ts';

/** What is too old. */
export interface AuditAges {
  /** Rows from before are deleted. */
  readonly before: Date;
  /** Scans with personal data from before are deleted. */
  readonly personalBefore: Date;
}

/** The result of a verification. */
export interface AuditVerification {
  /** Acts that were verified before the fault, or all. */
  readonly links: number;
  /** Null where the chain is intact; `unsealed`: its ends are not those that the gateway has sealed. */
  readonly fault: {
    readonly sequence: number;
    readonly reason: ChainFault['reason'] | 'unsealed';
  } | null;
  /** The first act that was recorded under the seal: earlier ones are consistent, and not proven. Null without a seal. */
  readonly sealedFrom: number | null;
}

/** The audit table. */
export interface AuditStore {
  /** Stores rows, all or none; those that are stored already are passed over. Acts become links of the chain. */
  insert(rows: readonly AuditRow[]): Promise<void>;
  /** Deletes at most `limit` rows that are too old, the oldest first. Returns how many. */
  deleteOld(ages: AuditAges, limit: number): Promise<number>;
  /** Deletes at most `limit` scans of a user, whose id may be stored in any of these forms. */
  deleteUser(userIds: readonly string[], limit: number): Promise<number>;
  /** Seals the ends of a chain that has no seal, such as a new one. Returns whether it had acts. */
  seal(): Promise<boolean>;
  /** Checks the seal, and walks the chain of the acts. */
  verify(): Promise<AuditVerification>;
}
