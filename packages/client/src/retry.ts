import type { ProbityError } from './errors.ts';
import { ConnectionError } from './errors.ts';

/** Back-off before the first retry, in milliseconds; it doubles with each. */
const BASE_MS = 500;
/** The same while the service is unavailable (specification, "Retry rules"). */
const UNAVAILABLE_BASE_MS = 2_000;
const LONGEST_MS = 30_000;

/** Specification, "Retry rules"; 502 and 504 come from a proxy that lost the answer of the server. */
const RETRIED_STATUSES: readonly (number | null)[] = [429, 500, 502, 503, 504];

/** A failed attempt of a call. */
export interface FailedAttempt {
  readonly error: ProbityError;
  /** How many attempts were made before it. */
  readonly attempt: number;
  /** From 0 up to but not including 1. */
  readonly random: number;
  /** A longer Retry-After is not waited for. */
  readonly maxRetryDelayMs: number;
}

/**
 * Milliseconds to wait before the next attempt of a call that is safe to repeat; null when the error
 * is final or the server asks for a longer wait than `maxRetryDelayMs`.
 */
export function retryDelayMs({
  error,
  attempt,
  random,
  maxRetryDelayMs,
}: FailedAttempt): number | null {
  if (!isTransient(error)) return null;
  const baseMs = error.status === 503 ? UNAVAILABLE_BASE_MS : BASE_MS;
  const backOffMs = Math.min(baseMs * 2 ** attempt, LONGEST_MS) * (0.5 + random / 2);
  if (error.retryAfter === null) return Math.min(backOffMs, maxRetryDelayMs);
  const askedMs = error.retryAfter * 1_000;
  // The random part spreads the clients that were told the same time.
  return askedMs > maxRetryDelayMs ? null : Math.max(backOffMs, askedMs + random * BASE_MS);
}

function isTransient(error: ProbityError): boolean {
  if (error instanceof ConnectionError || RETRIED_STATUSES.includes(error.status)) return true;
  // An earlier attempt with the same Idempotency-Key is still running; its answer will be repeated.
  return error.status === 409 && error.retryAfter !== null;
}

/**
 * The seconds of a Retry-After header, which has a number or a date; null without a valid one.
 * @param now milliseconds since 1970
 */
export function retryAfterSeconds(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}
