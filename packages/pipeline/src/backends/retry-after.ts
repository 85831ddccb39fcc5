import type { BackendError } from './backend-error.ts';

const STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 529]);

/** Whether the same call may go better a little later. */
export function isWorthRetrying({ failure, status }: BackendError): boolean {
  return failure === 'network' || (status !== undefined && STATUSES.has(status));
}

/**
 * How long the server asks to wait (RFC 9110, 10.2.3: seconds or a date), in milliseconds; undefined
 * where it does not say, or in no form that is known.
 *
 * @param nowMs the time of day, in milliseconds since 1970
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) || !/[a-z]/i.test(value) ? undefined : Math.max(0, date - nowMs);
}
