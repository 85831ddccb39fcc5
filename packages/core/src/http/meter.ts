import type { Principal } from '../context.ts';
import type { MeteredQuota } from '../contract/quotas.ts';

/** Counts an organization's use of its plan's monthly quotas. */
export interface Meter {
  /**
   * Consumes units of a quota, all or none.
   * @throws ProbityError `rate_limited`, naming the quota, with Retry-After to the end of the month
   */
  spend(principal: Principal, quota: MeteredQuota, units: number): Promise<void>;
  /**
   * Consumes units already leased by this process, without waiting; false when `spend` must be
   * called. Without this method, `spend` is called every time.
   */
  trySpendLocal?(principal: Principal, quota: MeteredQuota, units: number): boolean;
}
