import type { MeteredQuota } from '@probity/core/internal';
import type {
  InstanceCounts,
  InstanceKey,
  InstanceMinute,
  InstanceMinuteRange,
  LeaseRequest,
  QuotaUnits,
  RuntimeInstance,
} from './types.ts';

/** The size of an organization's data. */
export interface StoredBytes {
  readonly bytes: number;
  /** The rows that were counted one by one. */
  readonly rows: number;
}

/** Reads of organizations' usage. */
export interface UsageReads {
  /** Units of each quota leased by all instances in the month, spent or not. */
  findTakenUnits(
    organizationId: string,
    period: string,
  ): Promise<Readonly<Record<MeteredQuota, number>>>;
  /**
   * Estimates the bytes stored for the organization, in a time that does not grow with them: for each
   * table the number of its rows times the mean size of up to 200 of them. From 20,000 rows on the number
   * may be an estimate. Exact for tables with fewer than 200 rows; indexes are not counted.
   */
  estimateStoredBytes(organizationId: string): Promise<StoredBytes>;
}

/** Writes of the units leased from monthly quotas. */
export interface UsageWrites {
  /**
   * Leases the units that `grantedUnits` grants, in one atomic statement: the units leased in a
   * month never exceed `limit`, however many instances lease at once.
   *
   * @returns the number of units leased; 0 when none are left
   */
  takeUnits(request: LeaseRequest, limit: number): Promise<number>;
  /** Returns units that were leased and not spent. */
  giveBackUnits(unspent: QuotaUnits): Promise<void>;
  /** Adds units that were used already, whatever the limit of the month. */
  addUnits(used: QuotaUnits): Promise<void>;
}

/** Reads of reporting instances. */
export interface InstanceReads {
  /** Null when the instance has never reported, or was deleted. */
  findInstance(key: InstanceKey): Promise<RuntimeInstance | null>;
  /** Counts instances seen after `since`. */
  countInstances(organizationId: string, since: Date): Promise<InstanceCounts>;
}

/** Writes of reporting instances. */
export interface InstanceWrites {
  /** Stores the instance, replacing its previous report. */
  putInstance(instance: RuntimeInstance): Promise<void>;
  /** Deletes up to `limit` instances last seen before `before`; returns how many. */
  forgetInstances(before: Date, limit: number): Promise<number>;
  /**
   * Stores what instances did in minutes that are not stored yet. Of concurrent calls with the same minute
   * exactly one stores it.
   *
   * @returns those that were stored; the others were there already, and stay as they were
   */
  insertInstanceMinutes(minutes: readonly InstanceMinute[]): Promise<InstanceMinute[]>;
  /** Deletes up to `limit` of the minutes of a range; returns those that were deleted. */
  deleteInstanceMinutes(range: InstanceMinuteRange, limit: number): Promise<InstanceMinute[]>;
  /** Deletes up to `limit` minutes before `before`; returns how many. */
  forgetInstanceMinutes(before: Date, limit: number): Promise<number>;
}
