import type { Meter, Principal, Runtime, Service, Storage } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { MeteredQuota, SpendOptions } from '@probity/core/internal';
import { createRepeating, METERED_QUOTAS } from '@probity/core/internal';
import type { PlanLimits } from '../billing/plans.ts';
import { PLAN_TERMS } from '../billing/plans.ts';
import type { QuotaLease } from './quota-lease.ts';
import { createQuotaLease } from './quota-lease.ts';
import type { UsageReads, UsageWrites } from './storage.ts';
import { usagePeriodAt } from './types.ts';

/** Meters the quotas of plans with token buckets leased by this instance. */
export interface QuotaMeter extends Meter, Service {
  /** Units of the organization leased by this instance for the month and not spent yet. */
  unspentUnits(organizationId: string, period: string): Readonly<Record<MeteredQuota, number>>;
  /** Returns the organization's unspent units. */
  release(organizationId: string): Promise<void>;
  /** Returns units not requested since the last flush, and those of an earlier month. */
  flush(): Promise<void>;
}

/** Options of a meter. */
export interface QuotaMeterOptions {
  readonly storage: Storage<UsageReads, UsageWrites>;
  /** Milliseconds between flushes; default 5000. */
  readonly intervalMs?: number;
}

/** The plan limit of each quota. */
const LIMITS: Readonly<Record<MeteredQuota, keyof PlanLimits>> = {
  api_requests: 'apiRequests',
  gateway_scans: 'gatewayScans',
};

/** Leases that are returned at a time; on PostgreSQL each takes a connection. */
const RETURNS_AT_ONCE = 8;

/**
 * Creates the meter of one instance. Instances lease quota from the database and spend it in
 * memory, so that most calls cost no write. The total leased never exceeds the limit; an instance
 * that is killed loses its leases, and no unit is spent twice. A lease covers about one second of
 * the instance's present load, at most a hundredth of the limit, and less near its end (see
 * `grantedUnits`). Unused units are returned within two flush intervals.
 */
export function createQuotaMeter(
  { clock, logger }: Runtime,
  { storage, intervalMs = 5_000 }: QuotaMeterOptions,
): QuotaMeter {
  const leases = new Map<string, QuotaLease>();
  let period = usagePeriodAt(clock.now());
  let flushing: Promise<void> = Promise.resolve();

  function leaseOf(organizationId: string, quota: MeteredQuota): QuotaLease {
    const now = clock.now();
    if (now >= period.end || now < period.start) period = usagePeriodAt(now);
    const key = `${organizationId} ${quota} ${period.name}`;
    let lease = leases.get(key);
    if (!lease) {
      const owner = { organizationId, quota, period: period.name };
      lease = createQuotaLease(storage, owner, clock);
      leases.set(key, lease);
    }
    return lease;
  }

  async function spend(
    { organizationId, plan }: Principal,
    quota: MeteredQuota,
    units: number,
    options?: SpendOptions,
  ): Promise<void> {
    const limit = PLAN_TERMS[plan].limits[LIMITS[quota]];
    if (await leaseOf(organizationId, quota).spend(units, limit, options)) return;
    throw spentQuota(quota, limit, period.end, clock.now());
  }

  /** Of those that are due at the call, several at a time: the transactions of SQLite share commits. */
  async function giveBack(isDue: (lease: QuotaLease) => boolean): Promise<void> {
    const due = [...leases].filter(([, lease]) => isDue(lease));
    for (let from = 0; from < due.length; from += RETURNS_AT_ONCE) {
      await Promise.all(due.slice(from, from + RETURNS_AT_ONCE).map(giveBackOne));
    }
  }

  async function giveBackOne([key, lease]: [string, QuotaLease]): Promise<void> {
    try {
      await lease.giveBack();
      if (lease.isIdle()) leases.delete(key);
    } catch (error) {
      logger.error('unspent quota could not be returned', { ...lease.owner, error });
    }
  }

  function giveBackInTurn(isDue: (lease: QuotaLease) => boolean): Promise<void> {
    flushing = flushing.then(() => giveBack(isDue));
    return flushing;
  }

  function flush(): Promise<void> {
    const current = usagePeriodAt(clock.now()).name;
    return giveBackInTurn((lease) => !lease.takeTouched() || lease.owner.period !== current);
  }

  const repeating = createRepeating({ clock, intervalMs, work: flush });
  return {
    spend,
    trySpendLocal: ({ organizationId }, quota, units) =>
      leaseOf(organizationId, quota).trySpendLocal(units),
    flush,
    release: (organizationId) =>
      giveBackInTurn(({ owner }) => owner.organizationId === organizationId),
    unspentUnits(organizationId, name) {
      const unspent = (quota: MeteredQuota) =>
        leases.get(`${organizationId} ${quota} ${name}`)?.unspent() ?? 0;
      const entries = METERED_QUOTAS.map((quota) => [quota, unspent(quota)] as const);
      return Object.fromEntries(entries) as Record<MeteredQuota, number>;
    },
    start: repeating.start,
    async stop() {
      await repeating.stop();
      await giveBackInTurn(() => true);
    },
  };
}

function spentQuota(quota: MeteredQuota, limit: number, end: Date, now: Date): ProbityError {
  const seconds = Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1_000));
  return new ProbityError(
    'rate_limited',
    `The plan's quota of ${limit} ${quota} a month is spent; a new month begins at ${end.toISOString()}.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
