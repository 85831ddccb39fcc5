import type { Principal } from '../context.ts';
import type { MeteredQuota } from '../contract/quotas.ts';

/** How units are consumed. */
export interface SpendOptions {
  /**
   * Whether the units are counted later while the database cannot be written, as when its disk is full: true for
   * reads, which the database still answers. Default: false.
   */
  readonly mayOwe?: boolean;
}

/** Counts an organization's use of its plan's monthly quotas. */
export interface Meter {
  /**
   * Consumes units of a quota, all or none.
   * @throws ProbityError `rate_limited`, naming the quota, with Retry-After to the end of the month
   */
  spend(
    principal: Principal,
    quota: MeteredQuota,
    units: number,
    options?: SpendOptions,
  ): Promise<void>;
  /**
   * Consumes units already leased by this process, without waiting; false when `spend` must be
   * called. Without this method, `spend` is called every time.
   */
  trySpendLocal?(principal: Principal, quota: MeteredQuota, units: number): boolean;
}
