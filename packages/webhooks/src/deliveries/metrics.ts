import type { MetricDefinition } from '@probity/core';
import { isSuccess } from './attempt.ts';
import type { DeliveryAttempt } from './types.ts';

/** Counts attempts by result. */
export const WEBHOOK_ATTEMPTS: MetricDefinition = Object.freeze({
  name: 'probity_webhook_attempts_total',
  kind: 'counter',
  help: 'Delivery attempts to webhooks, by result.',
  labels: ['result'],
});

/** Duration of attempts in seconds, by result. */
export const WEBHOOK_ATTEMPT_DURATION: MetricDefinition = Object.freeze({
  name: 'probity_webhook_attempt_duration_seconds',
  kind: 'histogram',
  help: 'Seconds from the first DNS query of a delivery attempt to the last byte of the response, by result.',
  labels: ['result'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
});

/** The label of an attempt that sent nothing, as no name server answered. */
export const NO_DNS_ANSWER = 'no_dns_answer';

/** The label `result` of a sent attempt: `success`, `http_error` or `no_response`. */
export function resultOf(attempt: DeliveryAttempt): string {
  if (isSuccess(attempt)) return 'success';
  return attempt.responseStatus === null ? 'no_response' : 'http_error';
}
