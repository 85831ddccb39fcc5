import type { CallContext, Clock, Plan, Session } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { PlanLimits } from '../billing/plans.ts';
import { PLAN_TERMS } from '../billing/plans.ts';
import { seenSince } from './instances.ts';
import type { QuotaMeter } from './quota-meter.ts';
import type { UsageStorage } from './storage.ts';
import type { UsagePeriod } from './types.ts';
import { usagePeriodAt } from './types.ts';

/** An organization's use of its plan in the present month. */
export interface UsageReport {
  readonly period: UsagePeriod;
  readonly limits: PlanLimits;
  /** In the units of the limits. */
  readonly used: PlanLimits;
}

/** How much of their plans organizations use. */
export interface Usage {
  /**
   * The use of the present month. Calls and scans count what instances have taken less what this
   * instance has not spent: while other instances are busy, at most their blocks too many, and
   * never too few.
   */
  report(context: CallContext): Promise<UsageReport>;
  /**
   * A check that the present use is within a plan's limits. What takes long is measured here; the
   * rest is read in the transaction of the session that the check is given.
   */
  prepareFit(organizationId: string): Promise<(plan: Plan, session: Session) => Promise<void>>;
}

/** What the service needs. */
export interface UsageDependencies {
  readonly storage: UsageStorage;
  readonly clock: Clock;
  /** This instance's meter; without one nothing is held here. */
  readonly meter?: Pick<QuotaMeter, 'unspentUnits' | 'release'> | undefined;
}

const BYTES_PER_GB = 1_000_000_000;

/** Names of the limits on the wire. */
const LIMIT_NAMES: Readonly<Record<keyof PlanLimits, string>> = {
  gatewayInstances: 'gateway_instances',
  sentinelAgents: 'sentinel_agents',
  apiRequests: 'api_requests',
  gatewayScans: 'gateway_scans',
  storageGb: 'storage_gb',
};

/** Creates the service over usage. */
export function createUsage({ storage, clock, meter }: UsageDependencies): Usage {
  /** Reads all but the stored bytes. */
  async function readCounts(
    reads: Pick<UsageStorage, 'findTakenUnits' | 'countInstances'>,
    organizationId: string,
  ) {
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
      const bytes = await storage.estimateStoredBytes(organizationId);
      const used = {
        ...counts,
        apiRequests: Math.max(0, counts.apiRequests - (unspent?.api_requests ?? 0)),
        gatewayScans: Math.max(0, counts.gatewayScans - (unspent?.gateway_scans ?? 0)),
        storageGb: Math.round(bytes / BYTES_PER_GB),
      };
      return { period, limits: PLAN_TERMS[plan].limits, used };
    },

    async prepareFit(organizationId) {
      await meter?.release(organizationId);
      const storageGb = (await storage.estimateStoredBytes(organizationId)) / BYTES_PER_GB;
      return (plan, session) =>
        storage.transaction({ session }, async (tx) => {
          const counts = await readCounts(tx, organizationId);
          requireFit(plan, { ...counts, storageGb });
        });
    },
  };
}

function requireFit(plan: Plan, used: PlanLimits): void {
  const { limits } = PLAN_TERMS[plan];
  const names = Object.keys(LIMIT_NAMES) as Array<keyof PlanLimits>;
  const exceeded = names.filter((name) => used[name] > limits[name]);
  if (exceeded.length === 0) return;
  const reasons = exceeded.map(
    (name) => `${LIMIT_NAMES[name]} is at ${Math.ceil(used[name])} of ${limits[name]}`,
  );
  throw new ProbityError(
    'conflict',
    `Present use does not fit the plan ${plan}: ${reasons.join(', ')}.`,
  );
}
