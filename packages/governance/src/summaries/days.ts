import type { Clock } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { ScanReads } from '../scans/storage.ts';

/** How long after its end a day is summed up: what began before it has been stored by then, on every instance. */
const GRACE_MS = 15 * 60_000;

/** Days that are summed up later at most, such as those before the first start of a version with summaries. */
const MAX_CATCH_UP_MS = 184 * DAY_MS;

/** The beginning of the day (UTC) of a time. */
function startOfDay(time: Date): Date {
  return new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);
}

/** The beginning of the day after one. */
export function dayAfter(day: Date): Date {
  return new Date(day.getTime() + DAY_MS);
}

/** The ISO 8601 date of a day. */
export function dateOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** The end of the last day that can be summed up. */
export function summableUntil(now: Date): Date {
  return startOfDay(new Date(now.getTime() - GRACE_MS));
}

/** How far clocks may differ, or be set back, without days being summed up again. */
const CLOCK_SLACK_MS = 3_600_000;

/** Whether days up to this one can have been summed up only while the clock was ahead. */
export function isAhead(summarizedUntil: Date, now: Date): boolean {
  return summarizedUntil > startOfDay(new Date(now.getTime() + CLOCK_SLACK_MS));
}

/** When days become summable next, after `now`. */
export function nextSummableAt(now: Date): Date {
  return new Date(summableUntil(now).getTime() + DAY_MS + GRACE_MS);
}

/** Finds the day with which the summaries of an organization begin. */
export type FirstDay = (organizationId: string) => Promise<Date>;

/** The day of the oldest scan that is stored, and not before the last 184 days; the present one without scans. */
export function createFirstDay(
  { clock }: { readonly clock: Clock },
  storage: Pick<ScanReads, 'oldestScanAt'>,
): FirstDay {
  return async (organizationId) => {
    const nowMs = clock.now().getTime();
    const oldestMs = (await storage.oldestScanAt(organizationId))?.getTime() ?? nowMs;
    const earliestMs = nowMs - MAX_CATCH_UP_MS;
    return startOfDay(new Date(Math.max(earliestMs, Math.min(oldestMs, nowMs))));
  };
}
