import type { AttemptCount } from './types.ts';

/** Read operations on the counts of attempts. */
export interface StatReads {
  /** The webhook's counts of the hours that begin at `since` or later, by hour. */
  listAttemptCounts(webhookId: string, since: Date): Promise<AttemptCount[]>;
}

/** Write operations on the counts of attempts. */
export interface StatWrites {
  /**
   * Adds to the stored counts, in the order given, which must be that of `mergeCounts`: transactions that
   * add to the same counts then wait for one another, and none for ever.
   */
  addAttemptCounts(counts: readonly AttemptCount[]): Promise<void>;
  /** Deletes up to `limit` counts of hours that begin before `before`; returns their number. */
  deleteAttemptCounts(before: Date, limit: number): Promise<number>;
}
