/** When failed deliveries are tried again, and when their webhook is turned off. */
export interface RetryProfile {
  /** Waits after the first, second, … failed attempt; the last one repeats. Not empty. */
  readonly delaysMs: readonly number[];
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** A delivery with this many failed attempts turns its webhook off and is not tried again. */
  readonly disableAfterFailures: number;
  /** No attempt begins later than this after the first. */
  readonly maxAgeMs: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The built-in profiles. */
export const RETRY_PROFILES = {
  /**
   * The specification's rule ("Events", rule 3): attempts at 0, 1, 3, 7 and 15 seconds, the fifth
   * failure turns the webhook off.
   */
  standard: {
    delaysMs: [1, 2, 4, 8, 16, 32].map((seconds) => seconds * SECOND_MS),
    maxRetries: 5,
    disableAfterFailures: 5,
    maxAgeMs: 72 * HOUR_MS,
  },
  /**
   * Ten attempts over 72 hours, in the manner that Standard Webhooks recommends; the tenth failure
   * turns the webhook off.
   */
  resilient: {
    delaysMs: [
      5 * SECOND_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      ...[2, 5, 10, 12, 18, 24].map((hours) => hours * HOUR_MS),
    ],
    maxRetries: 9,
    disableAfterFailures: 10,
    maxAgeMs: 72 * HOUR_MS,
  },
} as const satisfies Record<string, RetryProfile>;

/**
 * When to try again after a failure, or null when the delivery has failed for good.
 *
 * @param failures failed attempts so far, at least 1
 * @param firstAttemptAt the beginning of the first of them
 * @param failedAt the end of the last of them; the wait counts from here, so that a slow endpoint
 *   is given as much time to recover as one that fails at once
 */
export function nextAttemptAt(
  profile: RetryProfile,
  failures: number,
  firstAttemptAt: Date,
  failedAt: Date,
): Date | null {
  if (failures > profile.maxRetries || isDisabling(profile, failures)) return null;
  const delayMs = profile.delaysMs[failures - 1] ?? profile.delaysMs.at(-1) ?? 0;
  const next = new Date(failedAt.getTime() + delayMs);
  return next.getTime() - firstAttemptAt.getTime() > profile.maxAgeMs ? null : next;
}

/** Whether a delivery that failed this often turns its webhook off. */
export function isDisabling(profile: RetryProfile, failures: number): boolean {
  return failures >= profile.disableAfterFailures;
}

/**
 * The profile itself.
 * @throws RangeError that names the first bad setting
 */
export function checkRetryProfile(profile: RetryProfile): RetryProfile {
  const { delaysMs, maxRetries, disableAfterFailures, maxAgeMs } = profile;
  const isDuration = (value: number) => Number.isFinite(value) && value >= 0;
  if (delaysMs.length === 0 || !delaysMs.every(isDuration)) {
    throw new RangeError('delaysMs must be a non-empty list of non-negative numbers');
  }
  if (!Number.isSafeInteger(maxRetries) || maxRetries < 0) {
    throw new RangeError('maxRetries must be a non-negative integer');
  }
  if (!Number.isSafeInteger(disableAfterFailures) || disableAfterFailures < 1) {
    throw new RangeError('disableAfterFailures must be a positive integer');
  }
  if (!isDuration(maxAgeMs)) throw new RangeError('maxAgeMs must be a non-negative number');
  return profile;
}
