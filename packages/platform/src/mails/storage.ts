/** Reads of mail counts: none outside of a count. */
export type MailCountReads = object;

/** Writes of mail counts. */
export interface MailCountWrites {
  /**
   * Adds a mail to the count of a subject in the window that begins at `windowStart`, and returns the
   * count with it. Concurrent transactions count one after the other.
   */
  countMail(subject: string, windowStart: Date): Promise<number>;
  /** Deletes up to `limit` counts of windows that began before `before`; returns how many. */
  deleteOldMailCounts(before: Date, limit: number): Promise<number>;
}
