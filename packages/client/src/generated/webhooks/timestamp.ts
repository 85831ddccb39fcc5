// Copied from packages/webhooks/src/receiving by scripts/client.mjs.

import { WebhookVerificationError } from './verification-error.ts';

/** Which times of signing are accepted. */
interface Acceptance {
  readonly now: Date;
  readonly toleranceSeconds: number;
}

/** @throws RangeError when the tolerance is no number or negative */
export function checkTolerance(seconds: number): void {
  if (typeof seconds === 'number' && seconds >= 0) return;
  throw new RangeError('toleranceSeconds must be a number of seconds, at least 0');
}

/**
 * Checks the time at which a request was signed.
 * @param timestamp seconds since 1970, in decimal
 * @throws WebhookVerificationError `timestamp_invalid`, `timestamp_too_old` or `timestamp_too_new`
 */
export function checkTimestamp(timestamp: string, { now, toleranceSeconds }: Acceptance): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    const message = 'webhook-timestamp must be a whole number of seconds since 1970.';
    throw new WebhookVerificationError('timestamp_invalid', message);
  }
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(timestamp);
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  const isOld = ageSeconds > 0;
  throw new WebhookVerificationError(
    isOld ? 'timestamp_too_old' : 'timestamp_too_new',
    `The request was signed ${Math.abs(ageSeconds)} s ${isOld ? 'ago' : 'in the future'}, ` +
      `and ${toleranceSeconds} s are accepted. Is the clock of this machine right?`,
  );
}
