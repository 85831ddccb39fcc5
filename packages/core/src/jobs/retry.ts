import type { Random } from '../crypto/random.ts';
import { randomFraction, systemRandom } from '../crypto/random.ts';

/** Retry policy as data: when failed work is retried, and how often at most. */
export interface RetryProfile {
  /** Delays after the first, second, … failed attempt, up to a year; the last one repeats. Not empty. */
  readonly delaysMs: readonly number[];
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number;
  /**
   * Maximum fraction by which a delay is randomly shortened, so that work that failed together is
   * not retried together: 0.2 gives 80 to 100 % of the delay. Default 0; below 1.
   */
  readonly jitter?: number;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

/**
 * The default profile of workers: 20 attempts with delays of 5 seconds, doubling to one hour. The
 * last attempt begins about ten hours after the first.
 */
export const JOB_RETRY: RetryProfile = {
  delaysMs: exponentialDelays(5 * SECOND_MS, HOUR_MS),
  maxAttempts: 20,
  jitter: 0.2,
};

/** Delays that begin with `firstMs` and double until they reach `lastMs`. */
export function exponentialDelays(firstMs: number, lastMs: number): readonly number[] {
  const delays: number[] = [];
  for (let delayMs = firstMs; delayMs < lastMs; delayMs *= 2) delays.push(delayMs);
  return [...delays, lastMs];
}

/**
 * Returns the time of the next attempt, or null when no attempt is left.
 *
 * @param failures failed attempts so far, at least 1
 * @param failedAt the end of the last of them; the delay counts from here, so that slow work gets
 *   as much time to recover as work that fails at once
 * @param random is called only if the profile has jitter
 */
export function nextAttemptAt(
  profile: RetryProfile,
  failures: number,
  failedAt: Date,
  random: Random = systemRandom,
): Date | null {
  const { delaysMs, maxAttempts, jitter = 0 } = profile;
  if (failures >= maxAttempts) return null;
  const delayMs = delaysMs[failures - 1] ?? delaysMs.at(-1) ?? 0;
  const share = jitter > 0 ? 1 - jitter * randomFraction(random) : 1;
  return new Date(failedAt.getTime() + Math.round(delayMs * share));
}

/** A year; a time much later is no valid date. */
export const MAX_DELAY_MS = 365 * 24 * HOUR_MS;

/**
 * Validates the profile and returns it.
 * @throws RangeError that names the first invalid setting
 */
export function checkRetryProfile<Profile extends RetryProfile>(profile: Profile): Profile {
  const { delaysMs, maxAttempts, jitter = 0 } = profile;
  const isDelay = (value: number) => Number.isFinite(value) && value >= 0 && value <= MAX_DELAY_MS;
  if (delaysMs.length === 0 || !delaysMs.every(isDelay)) {
    throw new RangeError(`delaysMs must be a non-empty list of numbers from 0 to ${MAX_DELAY_MS}`);
  }
  if (!Number.isSafeInteger(maxAttempts) || maxAttempts < 1) {
    throw new RangeError('maxAttempts must be a positive integer');
  }
  if (!(jitter >= 0 && jitter < 1)) throw new RangeError('jitter must be at least 0 and below 1');
  return profile;
}
