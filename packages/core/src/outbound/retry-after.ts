import type { DialResult } from './dialer.ts';

/** Statuses whose Retry-After says when the peer accepts requests again (RFC 6585, RFC 9110). */
const STATUSES: readonly number[] = [429, 503];

const SECONDS = /^\d+$/;
/** The three forms of a date (RFC 9110, section 5.6.7) begin with the name of the day. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/**
 * Milliseconds after `now` that a Retry-After of the response asks to wait; 0 without one, or when it is
 * malformed or past (RFC 9110, section 10.2.3).
 */
export function retryAfterOf(result: DialResult, now: Date): number {
  if (result.kind === 'error' || !STATUSES.includes(result.status)) return 0;
  const value = result.headers['retry-after']?.trim() ?? '';
  if (SECONDS.test(value)) return Number(value) * 1_000;
  if (!DATE.test(value)) return 0;
  // The obsolete form of asctime names no zone, and is in UTC.
  const atMs = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - now.getTime());
}
