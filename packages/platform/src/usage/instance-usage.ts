import type { CallContext, RateLimit, Runtime, Storage } from '@probity/core';
import { createMemoryRateLimiter, ProbityError, validationError } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { PLAN_TERMS } from '../billing/plans.ts';
import type { InstanceReads, InstanceWrites, UsageReads, UsageWrites } from './storage.ts';
import type { InstanceKey, InstanceMinute, InstanceMinuteRange } from './types.ts';
import { usagePeriodAt } from './types.ts';

const MINUTE_MS = 60_000;

/** Minutes before this are not counted: it is no longer known whether they were. */
const OLDEST_REPORT_MS = 90 * DAY_MS;
/** Longer than minutes are counted, so that none is counted twice. */
export const MINUTE_RETENTION_MS: number = OLDEST_REPORT_MS + DAY_MS;
/** How far the clock of an instance may be ahead. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** Reports of one instance with one key; an instance reports once a minute, and more after an outage. */
const REPORT_LIMIT: RateLimit = { requests: 10, windowSeconds: 60 };
/** Scans of an instance in one minute: about 17,000 a second, more than one gateway makes. */
const MAX_SCANS = 1_000_000;
/** The longest range of a withdrawal. */
const MAX_WITHDRAWN_MS = 31 * DAY_MS;
/** Minutes that one statement deletes. */
const DELETED_AT_ONCE = 1_000;

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

/** Reported minutes to withdraw. */
type UsageWithdrawal = Omit<InstanceMinuteRange, 'organizationId'>;

/** The result of a withdrawal. */
interface WithdrawalReceipt {
  /** Minutes that do not count any more. */
  readonly withdrawn: number;
  /** Their scans. */
  readonly scans: number;
}

/** What gateways report that they did. */
export interface InstanceUsage {
  /**
   * Counts scans against `gateway_scans` of the month in which they were made, beyond its limit too: they
   * have been made. Idempotent by instance and minute.
   *
   * @throws ProbityError `validation_failed` for a minute in the future, that is there twice, or
   *   with more than a million scans;
   *   `rate_limited` for more than 10 reports of an instance in a minute
   */
  report(context: CallContext, statement: UsageStatement): Promise<UsageReceipt>;
  /**
   * Withdraws reports that were wrong: their scans do not count in their months, and the minutes may be reported
   * again. Recorded in the audit log; a repeated withdrawal changes nothing.
   * @throws ProbityError `validation_failed` for a range that is empty or longer than 31 days
   */
  withdraw(context: CallContext, withdrawal: UsageWithdrawal): Promise<WithdrawalReceipt>;
}

/** Dependencies of the service. */
export interface InstanceUsageOptions {
  readonly storage: Storage<UsageReads & InstanceReads, UsageWrites & InstanceWrites>;
}

/** Creates the service for what instances did. */
export function createInstanceUsage(
  { clock, audit }: Runtime,
  { storage }: InstanceUsageOptions,
): InstanceUsage {
  const limiter = createMemoryRateLimiter(clock);

  function requireFewReports({ principal }: CallContext, { kind, instanceId }: UsageStatement) {
    const reporter = [principal.organizationId, principal.keyId ?? null, kind, instanceId];
    const decision = limiter.consume(JSON.stringify(reporter), REPORT_LIMIT);
    if ('then' in decision || decision.allowed) return;
    const seconds = Math.ceil(decision.retryAfterMs / 1_000);
    throw new ProbityError(
      'rate_limited',
      `More than ${REPORT_LIMIT.requests} reports of this instance in a minute; try again in ${seconds} s.`,
      { headers: { 'Retry-After': String(seconds) } },
    );
  }

  return {
    async withdraw(context, { kind, instanceId, since, until }) {
      requireRange(since, until);
      const { organizationId } = context.principal;
      const range = { organizationId, kind, instanceId, since, until };
      return storage.transaction(context, async (tx) => {
        const units = new Map<string, number>();
        let withdrawn = 0;
        for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; withdrawn += deleted) {
          const minutes = await tx.deleteInstanceMinutes(range, DELETED_AT_ONCE);
          deleted = minutes.length;
          for (const [period, scans] of unitsByMonth(minutes)) {
            units.set(period, (units.get(period) ?? 0) + scans);
          }
        }
        for (const [period, scans] of units) {
          const quota = 'gateway_scans';
          await tx.giveBackUnits({ organizationId, quota, period, units: scans });
        }
        const scans = [...units.values()].reduce((sum, each) => sum + each, 0);
        if (withdrawn > 0) {
          const target = { type: `${kind}_instance`, id: instanceId ?? 'all' };
          const before = { since, until, minutes: withdrawn, scans };
          await audit.record(tx, context, 'instance_usage.withdrawn', target, { before });
        }
        return { withdrawn, scans };
      });
    },

    async report(context, statement) {
      requireFewReports(context, statement);
      const { kind, instanceId, usage } = statement;
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
  const faults = usage.flatMap(({ minute, scans }, index) => {
    const field = `usage.${index}.minute`;
    const ms = minute.getTime();
    if (ms % MINUTE_MS !== 0) return [{ field, message: 'must be the start of a minute' }];
    if (ms > now.getTime() + CLOCK_SKEW_MS) return [{ field, message: 'is in the future' }];
    if (seen.has(ms)) return [{ field, message: 'is there twice' }];
    seen.add(ms);
    if (scans > MAX_SCANS) {
      return [{ field: `usage.${index}.scans`, message: 'must be at most 1,000,000 in a minute' }];
    }
    return [];
  });
  if (faults.length > 0) throw validationError(...faults);
}

function requireRange(since: Date, until: Date): void {
  if (until <= since) throw validationError({ field: 'until', message: 'must be after since' });
  if (until.getTime() - since.getTime() > MAX_WITHDRAWN_MS) {
    throw validationError({ field: 'until', message: 'must be at most 31 days after since' });
  }
}

function unitsByMonth(minutes: readonly InstanceMinute[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { minute, scans } of minutes) {
    const { name } = usagePeriodAt(minute);
    if (scans > 0) units.set(name, (units.get(name) ?? 0) + scans);
  }
  return units;
}
