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

/** A delivery after an attempt, and whether the attempt disables its webhook. */
export interface AttemptOutcome {
  readonly delivery: Delivery;
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
    disablesWebhook: !succeeded && isDisabling(profile, attemptCount),
  };
}

/** Decodes UTF-8 with U+FFFD for invalid bytes; a character cut off at the end is dropped. */
function toText(body: Buffer, truncated: boolean): string {
  return new TextDecoder('utf-8').decode(body, { stream: truncated });
}
