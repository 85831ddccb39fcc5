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
   * Spends units where that needs nothing but memory; false where `spend` has to be asked, as it is
   * every time of a meter that does not have this.
   */
  spendHeld?(principal: Principal, quota: MeteredQuota, units: number): boolean;
}
