import type { Clock } from '@probity/core';
import type { UsageReads } from './storage.ts';

/** Milliseconds for which a measured size is kept, for each thousand rows that were counted. */
const KEPT_MS_PER_THOUSAND_ROWS = 60;

/** Smaller sizes are measured each time: that takes a millisecond. */
const LEAST_KEPT_ROWS = 10_000;

/**
 * Creates the measure of the bytes that organizations store. A size of many rows is kept for a time in
 * proportion to their number, and calls of one organization share a measurement, so that an organization
 * takes at most half a percent of the database's time by asking, whatever it stores.
 */
export function createStoredBytesMeasure(
  clock: Clock,
  reads: Pick<UsageReads, 'estimateStoredBytes'>,
): (organizationId: string) => Promise<number> {
  const kept = new Map<string, { readonly bytes: number; readonly untilMs: number }>();
  const running = new Map<string, Promise<number>>();

  async function measure(organizationId: string): Promise<number> {
    const { bytes, rows } = await reads.estimateStoredBytes(organizationId);
    const nowMs = clock.monotonicMs();
    for (const [id, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(id);
    const untilMs = nowMs + (rows / 1_000) * KEPT_MS_PER_THOUSAND_ROWS;
    if (rows >= LEAST_KEPT_ROWS) kept.set(organizationId, { bytes, untilMs });
    return bytes;
  }

  return async (organizationId) => {
    const known = kept.get(organizationId);
    if (known && known.untilMs > clock.monotonicMs()) return known.bytes;
    const measured =
      running.get(organizationId) ??
      measure(organizationId).finally(() => running.delete(organizationId));
    running.set(organizationId, measured);
    return measured;
  };
}
