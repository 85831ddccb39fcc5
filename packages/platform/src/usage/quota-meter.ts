import type { Clock, Logger, Meter, MeteredQuota, Principal, Service } from '@probity/core';
import { METERED_QUOTAS, ProbityError } from '@probity/core';
import { createRepeating } from '@probity/core/internal';
import type { PlanLimits } from '../billing/plans.ts';
import { PLAN_TERMS } from '../billing/plans.ts';
import type { QuotaBlock } from './quota-block.ts';
import { createQuotaBlock } from './quota-block.ts';
import type { UsageStorage } from './storage.ts';
import { usagePeriodAt } from './types.ts';

/** A meter over the quotas of plans, that works in blocks. */
export interface QuotaMeter extends Meter, Service {
  /** Units of the organization that this instance has taken for the month and not spent yet. */
  unspentUnits(organizationId: string, period: string): Readonly<Record<MeteredQuota, number>>;
  /** Gives the organization's unspent units back. */
  release(organizationId: string): Promise<void>;
  /** Gives back what was not touched since the last time, and what belongs to an earlier month. */
  flush(): Promise<void>;
}

/** What it needs. */
export interface QuotaMeterDependencies {
  readonly storage: UsageStorage;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time between flushes; default 5000. */
  readonly intervalMs?: number;
}

/** Where a plan says what a quota's limit is. */
const LIMITS: Readonly<Record<MeteredQuota, keyof PlanLimits>> = {
  api_requests: 'apiRequests',
  gateway_scans: 'gatewayScans',
};

/**
 * Creates the meter of one instance. It takes units from the database in blocks and spends them in
 * memory, so that most calls cost no write. All units taken never exceed the limit; an instance
 * that is killed loses its blocks, and nobody spends a unit twice. A block is an instance's share
 * of about a second of the present load, at most a hundredth of the limit, and less near its end
 * (see `grantedUnits`). What lies idle is given back within two intervals.
 */
export function createQuotaMeter(dependencies: QuotaMeterDependencies): QuotaMeter {
  const { storage, clock, logger, intervalMs = 5_000 } = dependencies;
  const blocks = new Map<string, QuotaBlock>();
  let period = usagePeriodAt(clock.now());
  let flushing: Promise<void> = Promise.resolve();

  function blockOf(organizationId: string, quota: MeteredQuota): QuotaBlock {
    const now = clock.now();
    if (now >= period.end || now < period.start) period = usagePeriodAt(now);
    const key = `${organizationId} ${quota} ${period.name}`;
    let block = blocks.get(key);
    if (!block) {
      const owner = { organizationId, quota, period: period.name };
      block = createQuotaBlock(storage, owner, clock);
      blocks.set(key, block);
    }
    return block;
  }

  async function spend(
    { organizationId, plan }: Principal,
    quota: MeteredQuota,
    units: number,
  ): Promise<void> {
    const limit = PLAN_TERMS[plan].limits[LIMITS[quota]];
    if (await blockOf(organizationId, quota).spend(units, limit)) return;
    throw spentQuota(quota, limit, period.end, clock.now());
  }

  async function giveBack(isDue: (block: QuotaBlock) => boolean): Promise<void> {
    for (const [key, block] of blocks) {
      if (!isDue(block)) continue;
      try {
        await block.giveBack();
        if (block.isIdle()) blocks.delete(key);
      } catch (error) {
        logger.error('unspent quota could not be given back', { ...block.owner, error });
      }
    }
  }

  function giveBackInTurn(isDue: (block: QuotaBlock) => boolean): Promise<void> {
    flushing = flushing.then(() => giveBack(isDue));
    return flushing;
  }

  function flush(): Promise<void> {
    const current = usagePeriodAt(clock.now()).name;
    return giveBackInTurn((block) => !block.wasTouched() || block.owner.period !== current);
  }

  const repeating = createRepeating({ clock, intervalMs, work: flush });
  return {
    spend,
    spendHeld: ({ organizationId }, quota, units) =>
      blockOf(organizationId, quota).spendHeld(units),
    flush,
    release: (organizationId) =>
      giveBackInTurn(({ owner }) => owner.organizationId === organizationId),
    unspentUnits(organizationId, name) {
      const held = (quota: MeteredQuota) =>
        blocks.get(`${organizationId} ${quota} ${name}`)?.held() ?? 0;
      const entries = METERED_QUOTAS.map((quota) => [quota, held(quota)] as const);
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
