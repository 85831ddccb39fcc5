import type { Storage, TransactionOf } from '@probity/core';
import type { StoredSettings } from './types.ts';

/** Read operations of the storage. */
export interface UpkeepReads {
  /** Null while the organization has the defaults. */
  findSettings(organizationId: string): Promise<StoredSettings | null>;
  /** The beginning of the first day (UTC) that was not summed up; null before summaries have begun. */
  findSummarizedUntil(organizationId: string): Promise<Date | null>;
}

/** Write operations of the storage. */
export interface UpkeepWrites {
  /** Stores the settings of an organization, or replaces them. */
  putSettings(settings: StoredSettings): Promise<void>;
  /** Begins the summaries of an organization with a day, unless they have begun. */
  beginSummaries(organizationId: string, from: Date): Promise<void>;
  /**
   * Notes that the day from `from` to `until` was summed up, if it is the next one. Of several concurrent transactions
   * exactly one gets true.
   */
  advanceSummaries(organizationId: string, from: Date, until: Date): Promise<boolean>;
}

/** The settings of organizations, and how far they were summed up; both are deleted with their organization. */
export type UpkeepStorage = Storage<UpkeepReads, UpkeepWrites>;

/** The operations within a transaction of the storage. */
export type UpkeepTransaction = TransactionOf<UpkeepStorage>;
