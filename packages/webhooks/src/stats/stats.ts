import { HOUR_MS, hourOf } from './counts.ts';
import { quantileOf } from './histogram.ts';
import type { AttemptCount, AttemptStats, AttemptSummary } from './types.ts';

const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;

/** The beginning of the earliest hour of the statistics at `now`. */
export function statsSince(now: Date): Date {
  return hoursBefore(now, WEEK_HOURS - 1);
}

/** The statistics at `now` of a webhook's counts from {@link statsSince} on; those of later hours are left out. */
export function toStats(stored: readonly AttemptCount[], now: Date): AttemptStats {
  // Another process, whose clock is ahead, may have begun the next hour.
  const counts = stored.filter(({ hour }) => hour <= now);
  const day = hoursBefore(now, DAY_HOURS - 1);
  const byHour = groupByHour(counts);
  const hours = Array.from({ length: WEEK_HOURS }, (_, index) => {
    const hour = hoursBefore(now, WEEK_HOURS - 1 - index);
    return summarize(hour, byHour.get(hour.getTime()) ?? []);
  });
  return {
    last24Hours: summarize(
      day,
      counts.filter(({ hour }) => hour >= day),
    ),
    last7Days: summarize(statsSince(now), counts),
    hours,
  };
}

function groupByHour(counts: readonly AttemptCount[]): Map<number, AttemptCount[]> {
  const groups = new Map<number, AttemptCount[]>();
  for (const count of counts) {
    const group = groups.get(count.hour.getTime());
    if (group) group.push(count);
    else groups.set(count.hour.getTime(), [count]);
  }
  return groups;
}

function summarize(since: Date, counts: readonly AttemptCount[]): AttemptSummary {
  const durations = new Map<number, number>();
  let attempts = 0;
  let succeeded = 0;
  for (const count of counts) {
    attempts += count.attempts;
    succeeded += count.succeeded;
    durations.set(count.bucket, (durations.get(count.bucket) ?? 0) + count.attempts);
  }
  return {
    since,
    attempts,
    succeeded,
    successRate: attempts === 0 ? null : succeeded / attempts,
    p50DurationMs: quantileOf(durations, 0.5),
    p95DurationMs: quantileOf(durations, 0.95),
  };
}

function hoursBefore(now: Date, hours: number): Date {
  return new Date(hourOf(now).getTime() - hours * HOUR_MS);
}
