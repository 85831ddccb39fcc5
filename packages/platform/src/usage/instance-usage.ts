import type { CallContext, Runtime, Storage } from '@probity/core';
import { validationError } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { PLAN_TERMS } from '../billing/plans.ts';
import type { InstanceReads, InstanceWrites, UsageReads, UsageWrites } from './storage.ts';
import type { InstanceKey, InstanceMinute } from './types.ts';
import { usagePeriodAt } from './types.ts';

const MINUTE_MS = 60_000;

/** Minutes before this are not counted: it is no longer known whether they were. */
const OLDEST_REPORT_MS = 90 * DAY_MS;
/** Longer than minutes are counted, so that none is counted twice. */
export const MINUTE_RETENTION_MS: number = OLDEST_REPORT_MS + DAY_MS;
/** How far the clock of an instance may be ahead. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** What an instance did in one minute. */
export type UsageRecord = Pick<InstanceMinute, 'minute' | 'scans'>;

/** A report of an instance. */
export interface UsageStatement extends Pick<InstanceKey, 'kind' | 'instanceId'> {
  readonly usage: readonly UsageRecord[];
}

/** What became of a report. */
export interface UsageReceipt {
  /** Minutes that are counted now. */
  readonly accepted: number;
  /** Minutes that had been reported before; the first report of a minute stands. */
  readonly repeated: number;
  /** Minutes before the last 90 days, which are not counted. */
  readonly expired: number;
  /** Scans of the current month by all instances. */
  readonly scans: { readonly limit: number; readonly used: number };
}

/** What gateways report that they did. */
export interface InstanceUsage {
  /**
   * Counts scans against `gateway_scans` of the month in which they were made, beyond its limit too: they
   * have been made. Idempotent by instance and minute.
   *
   * @throws ProbityError `validation_failed` for a minute in the future, or that is there twice
   */
  report(context: CallContext, statement: UsageStatement): Promise<UsageReceipt>;
}

/** Dependencies of the service. */
export interface InstanceUsageOptions {
  readonly storage: Storage<UsageReads & InstanceReads, UsageWrites & InstanceWrites>;
}

/** Creates the service for what instances did. */
export function createInstanceUsage(
  { clock }: Runtime,
  { storage }: InstanceUsageOptions,
): InstanceUsage {
  return {
    async report(context, { kind, instanceId, usage }) {
      const { organizationId, plan } = context.principal;
      const now = clock.now();
      requireMinutes(usage, now);
      const oldest = now.getTime() - OLDEST_REPORT_MS;
      const reported = usage
        .filter(({ minute }) => minute.getTime() >= oldest)
        // In one order, so that concurrent reports do not wait for each other in a circle.
        .toSorted((one, other) => one.minute.getTime() - other.minute.getTime())
        .map(({ minute, scans }) => ({ organizationId, kind, instanceId, minute, scans }));
      return storage.transaction(context, async (tx) => {
        const added = await tx.insertInstanceMinutes(reported);
        for (const [period, units] of unitsByMonth(added)) {
          await tx.addUnits({ organizationId, quota: 'gateway_scans', period, units });
        }
        const taken = await tx.findTakenUnits(organizationId, usagePeriodAt(now).name);
        return {
          accepted: added.length,
          repeated: reported.length - added.length,
          expired: usage.length - reported.length,
          scans: { limit: PLAN_TERMS[plan].limits.gatewayScans, used: taken.gateway_scans },
        };
      });
    },
  };
}

function requireMinutes(usage: readonly UsageRecord[], now: Date): void {
  const seen = new Set<number>();
  const faults = usage.flatMap(({ minute }, index) => {
    const field = `usage.${index}.minute`;
    const ms = minute.getTime();
    if (ms % MINUTE_MS !== 0) return [{ field, message: 'must be the start of a minute' }];
    if (ms > now.getTime() + CLOCK_SKEW_MS) return [{ field, message: 'is in the future' }];
    if (seen.has(ms)) return [{ field, message: 'is there twice' }];
    seen.add(ms);
    return [];
  });
  if (faults.length > 0) throw validationError(...faults);
}

function unitsByMonth(minutes: readonly InstanceMinute[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { minute, scans } of minutes) {
    const { name } = usagePeriodAt(minute);
    if (scans > 0) units.set(name, (units.get(name) ?? 0) + scans);
  }
  return units;
}
