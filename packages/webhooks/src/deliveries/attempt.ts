import type { DialResult } from '@probity/core';
import type { WebhookRetryProfile } from './retry.ts';
import { isDisabling, nextDeliveryAt } from './retry.ts';
import type { Delivery, DeliveryAttempt } from './types.ts';

/** The stored form of a request's result; `at` is when the request began. */
export function toAttempt(number: number, at: Date, result: DialResult): DeliveryAttempt {
  const { durationMs } = result;
  if (result.kind === 'error') {
    const error = `${result.code}: ${result.message}`;
    return { number, at, durationMs, responseStatus: null, responseBody: null, error };
  }
  const responseBody = toText(result.body, result.truncated);
  return { number, at, durationMs, responseStatus: result.status, responseBody, error: null };
}

/** Whether the endpoint accepted the event: 2xx only (specification, "Events", rule 2). */
export function isSuccess({ responseStatus }: DeliveryAttempt): boolean {
  return responseStatus !== null && responseStatus >= 200 && responseStatus < 300;
}

/** A delivery after an attempt, and what else follows from it. */
export interface AttemptOutcome {
  readonly delivery: Delivery;
  /** Whether the attempt is one of the delivery's; else it says nothing about the endpoint. */
  readonly isKept: boolean;
  /** Whether the attempt disables the webhook. */
  readonly disablesWebhook: boolean;
}

/** Applies an attempt that ended at `endedAt` to a pending delivery. */
export function afterAttempt(
  delivery: Delivery,
  attempt: DeliveryAttempt,
  endedAt: Date,
  profile: WebhookRetryProfile,
): AttemptOutcome {
  const attemptCount = delivery.attemptCount + 1;
  const firstAttemptAt = delivery.firstAttemptAt ?? attempt.at;
  const succeeded = isSuccess(attempt);
  const next = succeeded ? null : nextDeliveryAt(profile, attemptCount, firstAttemptAt, endedAt);
  return {
    delivery: {
      ...delivery,
      status: succeeded ? 'delivered' : next ? 'pending' : 'failed',
      attempts: [...delivery.attempts, attempt],
      attemptCount,
      firstAttemptAt,
      nextAttemptAt: next,
    },
    isKept: true,
    disablesWebhook: !succeeded && !delivery.isTest && isDisabling(profile, attemptCount),
  };
}

/** Bounds of the delay after an attempt that says nothing about the endpoint. */
const NO_VERDICT_DELAY_MS = { min: 5_000, max: 30 * 60_000 };

/**
 * Applies an attempt that sent nothing because no name server answered. That is not the endpoint's
 * failure: it neither counts toward the retry rule nor disables the webhook. The delay is half the
 * age of the delivery, from 5 seconds to 30 minutes, until the delivery is older than the profile's
 * `maxAgeMs`; then it has failed, and the attempt is kept to say why.
 */
export function afterUnsentAttempt(
  delivery: Delivery,
  attempt: DeliveryAttempt,
  endedAt: Date,
  profile: WebhookRetryProfile,
): AttemptOutcome {
  const { min, max } = NO_VERDICT_DELAY_MS;
  const ageMs = endedAt.getTime() - delivery.createdAt.getTime();
  const delayMs = Math.min(Math.max(ageMs / 2, min), max);
  if (ageMs + delayMs > profile.maxAgeMs) {
    const attempts = [...delivery.attempts, attempt];
    const ended = { ...delivery, status: 'failed' as const, attempts, nextAttemptAt: null };
    return { delivery: ended, isKept: true, disablesWebhook: false };
  }
  const nextAttemptAt = new Date(endedAt.getTime() + delayMs);
  return { delivery: { ...delivery, nextAttemptAt }, isKept: false, disablesWebhook: false };
}

/** Decodes UTF-8 with U+FFFD for invalid bytes; a character cut off at the end is dropped. */
function toText(body: Buffer, truncated: boolean): string {
  return new TextDecoder('utf-8').decode(body, { stream: truncated });
}
