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

/** The number of a delivery's next attempt. */
export function nextNumber({ attempts }: Delivery): number {
  return (attempts.at(-1)?.number ?? 0) + 1;
}

/**
 * Attempts that are kept with a delivery, the latest. With response bodies of 4 KB in which every character takes
 * six bytes of JSON they are smaller than a page of deliveries, however often a delivery is sent again.
 */
const MAX_KEPT_ATTEMPTS = 36;

function withAttempt({ attempts }: Delivery, attempt: DeliveryAttempt): DeliveryAttempt[] {
  return [...attempts, attempt].slice(-MAX_KEPT_ATTEMPTS);
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

/** Status of an endpoint that wants no further requests (Standard Webhooks, RFC 9110). */
const GONE = 410;

/**
 * Applies an attempt that ended at `endedAt` to a pending delivery. An endpoint that answers 410 Gone is
 * disabled at once.
 * @param retryAfterMs the Retry-After of the response, from `endedAt` on
 */
export function afterAttempt(
  delivery: Delivery,
  attempt: DeliveryAttempt,
  endedAt: Date,
  profile: WebhookRetryProfile,
  retryAfterMs = 0,
): AttemptOutcome {
  const attemptCount = delivery.attemptCount + 1;
  const firstAttemptAt = delivery.firstAttemptAt ?? attempt.at;
  const succeeded = isSuccess(attempt);
  const isGone = attempt.responseStatus === GONE;
  const next =
    succeeded || isGone
      ? null
      : nextDeliveryAt(profile, attemptCount, firstAttemptAt, endedAt, retryAfterMs);
  return {
    delivery: {
      ...delivery,
      status: succeeded ? 'delivered' : next ? 'pending' : 'failed',
      attempts: withAttempt(delivery, attempt),
      attemptCount,
      firstAttemptAt,
      nextAttemptAt: next,
    },
    isKept: true,
    disablesWebhook:
      !succeeded && !delivery.isTest && (isGone || isDisabling(profile, attemptCount)),
  };
}

/** Bounds of the delay after an attempt that says nothing about the endpoint. */
const NO_VERDICT_DELAY_MS = { min: 5_000, max: 30 * 60_000 };

/**
 * Applies an attempt that sent nothing because no name server answered. That is not the endpoint's
 * failure: it neither counts toward the retry rule nor disables the webhook. The delay is half the
 * time for which it has been pending, from 5 seconds to 30 minutes, until that is longer than the profile's
 * `maxAgeMs`; then it has failed, and the attempt is kept to say why.
 */
export function afterUnsentAttempt(
  delivery: Delivery,
  attempt: DeliveryAttempt,
  endedAt: Date,
  profile: WebhookRetryProfile,
): AttemptOutcome {
  const { min, max } = NO_VERDICT_DELAY_MS;
  const ageMs = endedAt.getTime() - delivery.pendingSince.getTime();
  const delayMs = Math.min(Math.max(ageMs / 2, min), max);
  if (ageMs + delayMs > profile.maxAgeMs) {
    const attempts = withAttempt(delivery, attempt);
    const ended = { ...delivery, status: 'failed' as const, attempts, nextAttemptAt: null };
    return { delivery: ended, isKept: true, disablesWebhook: false };
  }
  const nextAttemptAt = new Date(endedAt.getTime() + delayMs);
  return { delivery: { ...delivery, nextAttemptAt }, isKept: false, disablesWebhook: false };
}

/** Decodes UTF-8 with U+FFFD for invalid bytes; a character cut off at the end is dropped. */
function toText(body: Buffer, truncated: boolean): string {
  // One that is told of more to come keeps what was cut off.
  return truncated ? new TextDecoder().decode(body, { stream: true }) : decoder.decode(body);
}

const decoder = new TextDecoder();
