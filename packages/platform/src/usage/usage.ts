import type { CallContext, Plan, Runtime } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { PlanLimits } from '../billing/plans.ts';
import { PLAN_TERMS } from '../billing/plans.ts';
import { seenSince } from './instances.ts';
import type { QuotaMeter } from './quota-meter.ts';
import type { InstanceReads, UsageReads } from './storage.ts';
import { createStoredBytesMeasure } from './stored-bytes.ts';
import type { UsagePeriod } from './types.ts';
import { usagePeriodAt } from './types.ts';

/** An organization's use of its plan in the current month. */
export interface UsageReport {
  readonly period: UsagePeriod;
  readonly limits: PlanLimits;
  /** In the units of the limits. */
  readonly used: PlanLimits;
}

/** Checks an organization's present use against the limits of a plan. */
export interface PlanLimitChecks {
  /**
   * Measures the gigabytes stored for the organization, after returning its unspent units. Slow, so
   * call it before the transaction.
   */
  measureStorage(organizationId: string): Promise<number>;
  /** @throws ProbityError `conflict` that names the exceeded limits */
  checkPlanLimits(
    reads: UsageReads & InstanceReads,
    organizationId: string,
    plan: Plan,
    storageGb: number,
  ): Promise<void>;
}

/** Organizations' use of their plans. */
export interface Usage extends PlanLimitChecks {
  /**
   * Reports the use of the current month. Calls and scans count the units leased by all instances,
   * less those that this instance has not spent: never too few, and too many by at most the unspent
   * leases of other instances.
   */
  report(context: CallContext): Promise<UsageReport>;
}

/** Dependencies of the usage service. */
export interface UsageOptions {
  readonly storage: UsageReads & InstanceReads;
  /** This instance's quota meter; without one this instance leases no units. */
  readonly meter?: UnspentUnits | undefined;
}

/** The unspent units of this instance's leases. */
export type UnspentUnits = Pick<QuotaMeter, 'unspentUnits' | 'release'>;

const BYTES_PER_GB = 1_000_000_000;

/** API names of the limits. */
const LIMIT_NAMES: Readonly<Record<keyof PlanLimits, string>> = {
  gatewayInstances: 'gateway_instances',
  sentinelAgents: 'sentinel_agents',
  apiRequests: 'api_requests',
  gatewayScans: 'gateway_scans',
  storageGb: 'storage_gb',
};

/** Creates the usage service. */
export function createUsage({ clock }: Runtime, { storage, meter }: UsageOptions): Usage {
  const measureBytes = createStoredBytesMeasure(clock, storage);

  /** Reads everything but the stored bytes. */
  async function readCounts(reads: UsageReads & InstanceReads, organizationId: string) {
    const now = clock.now();
    const taken = await reads.findTakenUnits(organizationId, usagePeriodAt(now).name);
    const instances = await reads.countInstances(organizationId, seenSince(now));
    return {
      gatewayInstances: instances.gateway,
      sentinelAgents: instances.sentinel,
      apiRequests: taken.api_requests,
      gatewayScans: taken.gateway_scans,
    };
  }

  return {
    async report({ principal: { organizationId, plan } }) {
      const period = usagePeriodAt(clock.now());
      const unspent = meter?.unspentUnits(organizationId, period.name);
      const counts = await readCounts(storage, organizationId);
      const bytes = await measureBytes(organizationId);
      const used = {
        ...counts,
        apiRequests: Math.max(0, counts.apiRequests - (unspent?.api_requests ?? 0)),
        gatewayScans: Math.max(0, counts.gatewayScans - (unspent?.gateway_scans ?? 0)),
        storageGb: Math.round(bytes / BYTES_PER_GB),
      };
      return { period, limits: PLAN_TERMS[plan].limits, used };
    },

    async measureStorage(organizationId) {
      await meter?.release(organizationId);
      return (await measureBytes(organizationId)) / BYTES_PER_GB;
    },

    async checkPlanLimits(reads, organizationId, plan, storageGb) {
      const counts = await readCounts(reads, organizationId);
      requireWithinLimits(plan, { ...counts, storageGb });
    },
  };
}

function requireWithinLimits(plan: Plan, used: PlanLimits): void {
  const { limits } = PLAN_TERMS[plan];
  const names = Object.keys(LIMIT_NAMES) as Array<keyof PlanLimits>;
  const exceeded = names.filter((name) => used[name] > limits[name]);
  if (exceeded.length === 0) return;
  const reasons = exceeded.map(
    (name) => `${LIMIT_NAMES[name]} is at ${Math.ceil(used[name])} of ${limits[name]}`,
  );
  throw new ProbityError(
    'conflict',
    `The current usage exceeds the plan ${plan}: ${reasons.join(', ')}.`,
  );
}
