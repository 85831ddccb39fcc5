import type { OpenAlerts } from './storage.ts';
import type { Alert, AlertCount, AlertFilter } from './types.ts';

/** The members of a filter that are compared for equality, the one that most likely fits the fewest alerts first. */
export const EQUAL = ['scanId', 'assigneeId', 'severity', 'type', 'status'] as const;

/** The text in which a search looks: message and resolution in lower case. */
export function searchTextOf({
  message,
  resolution,
}: Pick<Alert, 'message' | 'resolution'>): string {
  return [message, resolution ?? ''].join('\n').toLowerCase();
}

/** Whether an alert fits the conditions of a filter that compare its members. */
function fitsMembers(alert: Pick<Alert, (typeof EQUAL)[number]>, filter: AlertFilter) {
  return EQUAL.every((name) => filter[name] === undefined || alert[name] === filter[name]);
}

/** Whether an alert fits a filter. */
export function matchesFilter(alert: Alert, filter: AlertFilter): boolean {
  const { since, until, text } = filter;
  if (since && alert.createdAt < since) return false;
  if (until && alert.createdAt >= until) return false;
  if (text !== undefined && !searchTextOf(alert).includes(text.toLowerCase())) return false;
  return fitsMembers(alert, filter);
}

/** An hour, by which alerts are counted. */
export const HOUR_MS = 3_600_000;

/** Counts alerts by hour and type. */
export function createHourCounts() {
  const counts = new Map<string, AlertCount>();
  return {
    add({ type, createdAt }: Pick<Alert, 'type' | 'createdAt'>, count = 1): void {
      const hour = new Date(Math.floor(createdAt.getTime() / HOUR_MS) * HOUR_MS);
      const key = `${hour.getTime()} ${type}`;
      counts.set(key, { type, hour, count: (counts.get(key)?.count ?? 0) + count });
    },
    /** Newest hour first, ties by type. */
    toList: (): AlertCount[] =>
      [...counts.values()].sort(
        (left, right) =>
          right.hour.getTime() - left.hour.getTime() || (left.type < right.type ? -1 : 1),
      ),
  };
}

/** Counts alerts by AI system. */
export function createOpenCounts() {
  const counts = new Map<string | null, number>();
  return {
    add(aiSystemId: string | null, count: number): void {
      counts.set(aiSystemId, (counts.get(aiSystemId) ?? 0) + count);
    },
    toList: (): OpenAlerts[] => [...counts].map(([aiSystemId, count]) => ({ aiSystemId, count })),
  };
}
