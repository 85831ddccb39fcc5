import type { MeteredQuota, Storage } from '@probity/core';
import type { InstanceCounts, QuotaUnits, RuntimeInstance, UnitsWish } from './types.ts';

/** Reads of usage. */
export interface UsageReads {
  /** Units of each quota that instances have taken in the month, spent or not. */
  findTakenUnits(
    organizationId: string,
    period: string,
  ): Promise<Readonly<Record<MeteredQuota, number>>>;
  /** Null when the instance has never reported, or was forgotten. */
  findInstance(
    key: Pick<RuntimeInstance, 'organizationId' | 'kind' | 'instanceId'>,
  ): Promise<RuntimeInstance | null>;
  /** Instances seen after `since`. */
  countInstances(organizationId: string, since: Date): Promise<InstanceCounts>;
  /**
   * Estimate in bytes of everything that is stored of the organization: for each table the number
   * of its rows, times the mean size of up to 200 of them. Exact for tables with fewer rows;
   * indexes are not counted.
   */
  estimateStoredBytes(organizationId: string): Promise<number>;
}

/** Changes of usage. */
export interface UsageWrites {
  /**
   * Takes what `grantedUnits` gives of the quota by one atomic statement, so that all units taken of
   * a month never exceed `limit`, whoever takes at once.
   *
   * @returns how many were taken; 0 when none are left
   */
  takeUnits(wish: UnitsWish, limit: number): Promise<number>;
  /** Gives units back that were taken and not spent. */
  giveBackUnits(unspent: QuotaUnits): Promise<void>;
  /** Stores the instance, in place of what was known of it. */
  putInstance(instance: RuntimeInstance): Promise<void>;
  /** Forgets up to `limit` instances that were last seen before `before`; answers how many. */
  forgetInstances(before: Date, limit: number): Promise<number>;
}

/** Storage of usage counters and of instances that report themselves. */
export type UsageStorage = Storage<UsageReads, UsageWrites>;
