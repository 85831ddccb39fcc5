import type { Principal } from '../context.ts';
import type { MeteredQuota } from '../contract/quotas.ts';

/** Counts what an organization does against its plan's monthly quotas. */
export interface Meter {
  /**
   * Spends units of a quota, all or none.
   * @throws ProbityError `rate_limited`, naming the quota, with Retry-After to the end of the month
   */
  spend(principal: Principal, quota: MeteredQuota, units: number): Promise<void>;
  /**
   * Spends units that the process holds already, without waiting; false where `spend` has to be
   * called. A meter without this method has `spend` called every time.
   */
  trySpendLocal?(principal: Principal, quota: MeteredQuota, units: number): boolean;
}
