import { isSuccess } from '../deliveries/attempt.ts';
import type { Delivery, DeliveryAttempt } from '../deliveries/types.ts';
import { bucketOf } from './histogram.ts';
import type { AttemptCount } from './types.ts';

/** Milliseconds of an hour. */
export const HOUR_MS = 3_600_000;

/** The beginning of the hour of a time. */
export function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
}

/** The count of one attempt. */
export function countOf({ webhookId }: Delivery, attempt: DeliveryAttempt): AttemptCount {
  return {
    webhookId,
    hour: hourOf(attempt.at),
    bucket: bucketOf(attempt.durationMs),
    attempts: 1,
    succeeded: Number(isSuccess(attempt)),
  };
}

/** The counts with those of the same webhook, hour and bucket added up, in the order of their keys. */
export function mergeCounts(counts: readonly AttemptCount[]): AttemptCount[] {
  const merged = new Map<string, AttemptCount>();
  for (const count of counts) {
    const key = keyOf(count);
    const { attempts = 0, succeeded = 0 } = merged.get(key) ?? {};
    merged.set(key, {
      ...count,
      attempts: attempts + count.attempts,
      succeeded: succeeded + count.succeeded,
    });
  }
  return [...merged].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, count]) => count);
}

/** Identifies a count among all. */
export function keyOf({ webhookId, hour, bucket }: AttemptCount): string {
  return `${webhookId} ${hour.toISOString()} ${bucket}`;
}
