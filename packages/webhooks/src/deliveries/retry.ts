import type { RetryProfile } from '@probity/core';
import { checkRetryProfile, MAX_DELAY_MS, nextAttemptAt } from '@probity/core/internal';

/** When failed deliveries are retried, and when their webhook is disabled. */
export interface WebhookRetryProfile extends RetryProfile {
  /** A delivery with this many failed attempts disables its webhook and is not retried. */
  readonly disableAfterFailures: number;
  /** No attempt begins more than this many milliseconds after the first; at most those of a year. */
  readonly maxAgeMs: number;
  /**
   * How long a Retry-After of the endpoint may delay the next attempt, in milliseconds from the end of
   * the failed one; default one hour, 0 ignores it.
   */
  readonly maxRetryAfterMs?: number | undefined;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The built-in profiles. */
export const RETRY_PROFILES = {
  /**
   * The specification's rule ("Events", rule 3): attempts at 0, 1, 3, 7 and 15 seconds, the fifth
   * failure disables the webhook; never more than 5 retries, so 6 attempts.
   */
  standard: {
    delaysMs: [1, 2, 4, 8, 16, 32].map((seconds) => seconds * SECOND_MS),
    maxAttempts: 6,
    disableAfterFailures: 5,
    maxAgeMs: 72 * HOUR_MS,
  },
  /**
   * Ten attempts over 72 hours, as Standard Webhooks recommends; the tenth failure disables the
   * webhook.
   */
  resilient: {
    delaysMs: [
      5 * SECOND_MS,
      5 * MINUTE_MS,
      30 * MINUTE_MS,
      ...[2, 5, 10, 12, 18, 24].map((hours) => hours * HOUR_MS),
    ],
    maxAttempts: 10,
    disableAfterFailures: 10,
    maxAgeMs: 72 * HOUR_MS,
  },
} as const satisfies Record<string, WebhookRetryProfile>;

const MAX_RETRY_AFTER_MS = HOUR_MS;

/**
 * Time of the next attempt after a failure, or null when the delivery has failed for good.
 *
 * @param failures failed attempts so far, at least 1
 * @param firstAttemptAt start of the first of them
 * @param failedAt end of the last of them, from which the delay counts
 * @param retryAfterMs the endpoint's Retry-After; it postpones the attempt within the profile's bounds
 */
export function nextDeliveryAt(
  profile: WebhookRetryProfile,
  failures: number,
  firstAttemptAt: Date,
  failedAt: Date,
  retryAfterMs = 0,
): Date | null {
  if (isDisabling(profile, failures)) return null;
  const next = nextAttemptAt(profile, failures, failedAt);
  const latestMs = firstAttemptAt.getTime() + profile.maxAgeMs;
  if (!next || next.getTime() > latestMs) return null;
  const delayMs = Math.min(retryAfterMs, profile.maxRetryAfterMs ?? MAX_RETRY_AFTER_MS);
  const atMs = Math.max(next.getTime(), failedAt.getTime() + delayMs);
  return new Date(Math.min(atMs, latestMs));
}

/** Whether a delivery that failed this often disables its webhook. */
export function isDisabling(profile: WebhookRetryProfile, failures: number): boolean {
  return failures >= profile.disableAfterFailures;
}

/**
 * Checks a profile and returns it.
 * @throws RangeError that names the first bad setting
 */
export function checkWebhookRetryProfile(profile: WebhookRetryProfile): WebhookRetryProfile {
  const { disableAfterFailures, maxAgeMs, maxRetryAfterMs = 0 } = checkRetryProfile(profile);
  if (!Number.isSafeInteger(disableAfterFailures) || disableAfterFailures < 1) {
    throw new RangeError('disableAfterFailures must be a positive integer');
  }
  for (const [name, value] of Object.entries({ maxAgeMs, maxRetryAfterMs })) {
    if (Number.isFinite(value) && value >= 0 && value <= MAX_DELAY_MS) continue;
    throw new RangeError(`${name} must be a number from 0 to ${MAX_DELAY_MS}`);
  }
  return profile;
}
