import type { MeteredQuota } from '@probity/core';
import type {
  InstanceCounts,
  InstanceKey,
  LeaseRequest,
  QuotaUnits,
  RuntimeInstance,
} from './types.ts';

/** Reads of what organizations use. */
export interface UsageReads {
  /** Units of each quota that instances have leased in the month, spent or not. */
  findTakenUnits(
    organizationId: string,
    period: string,
  ): Promise<Readonly<Record<MeteredQuota, number>>>;
  /**
   * Estimate in bytes of everything that is stored of the organization: for each table the number
   * of its rows, times the mean size of up to 200 of them. Exact for tables with fewer rows;
   * indexes are not counted.
   */
  estimateStoredBytes(organizationId: string): Promise<number>;
}

/** Changes of the units that instances lease of monthly quotas. */
export interface UsageWrites {
  /**
   * Leases what `grantedUnits` grants of the quota, by one atomic statement: the units leased of a
   * month never exceed `limit`, however many instances lease at once.
   *
   * @returns how many were leased; 0 when none are left
   */
  takeUnits(request: LeaseRequest, limit: number): Promise<number>;
  /** Returns units that were leased and not spent. */
  giveBackUnits(unspent: QuotaUnits): Promise<void>;
}

/** Reads of instances that report themselves. */
export interface InstanceReads {
  /** Null when the instance has never reported, or was forgotten. */
  findInstance(key: InstanceKey): Promise<RuntimeInstance | null>;
  /** Instances seen after `since`. */
  countInstances(organizationId: string, since: Date): Promise<InstanceCounts>;
}

/** Changes of instances that report themselves. */
export interface InstanceWrites {
  /** Stores the instance, in place of what was known of it. */
  putInstance(instance: RuntimeInstance): Promise<void>;
  /** Forgets up to `limit` instances that were last seen before `before`; answers how many. */
  forgetInstances(before: Date, limit: number): Promise<number>;
}
