import type { OwnerNotice } from '@probity/core';
import type { Webhook } from '../webhooks/types.ts';
import type { Delivery, DeliveryAttempt } from './types.ts';

/**
 * The notice that the failures of a delivery disabled its webhook at `at`.
 * @param apiPath the path below which the endpoints are: `/api/v1`
 */
export function disabledNotice(
  webhook: Webhook,
  delivery: Delivery,
  at: Date,
  apiPath: string,
): OwnerNotice {
  const path = `${apiPath}/webhooks/${webhook.id}`;
  const reason = describeFailures(delivery);
  return {
    organizationId: webhook.organizationId,
    subject: 'A webhook was disabled',
    text: [
      `The webhook ${webhook.id} was disabled at ${at.toISOString()}. It gets no further events.`,
      '',
      `Address: ${toAddress(webhook.url)}`,
      `Reason: ${toLine(reason)}`,
      '',
      'What to do: if the address is no longer in use, change it or delete the webhook. Otherwise let it answer every request with a status from 200 to 299 within 30 seconds, then turn the webhook on again:',
      `PATCH ${path} {"active": true}`,
      '',
      'It gets the events from then on. Of those before, get first the deliveries that failed or were held, and when these have been sent, the events from while it was off:',
      `POST ${path}/recover {"since": "${delivery.createdAt.toISOString()}"}`,
      `POST ${path}/replay {"since": "${at.toISOString()}"}`,
      '',
      'Both are kept for 90 days. All deliveries with their attempts:',
      `GET ${path}/deliveries`,
    ].join('\n'),
  };
}

/**
 * The notice that one more failure of the delivery disables the webhook.
 * @param apiPath as for {@link disabledNotice}
 */
export function failingNotice(webhook: Webhook, delivery: Delivery, apiPath: string): OwnerNotice {
  const { eventId, nextAttemptAt } = delivery;
  return {
    organizationId: webhook.organizationId,
    subject: 'A webhook is about to be disabled',
    text: [
      `${describeFailures(delivery)} The next attempt is at ${nextAttemptAt?.toISOString()}; if it fails too, the webhook is disabled and gets no further events.`,
      '',
      `Webhook: ${webhook.id}`,
      `Address: ${toAddress(webhook.url)}`,
      `Event: ${eventId}`,
      '',
      'What to do: let the address answer every request with a status from 200 to 299 within 30 seconds. All attempts with their answers:',
      `GET ${apiPath}/webhooks/${webhook.id}/deliveries?status=pending`,
    ].join('\n'),
  };
}

/** A sentence about the failed attempts at a delivery. */
export function describeFailures({ eventId, attemptCount, attempts }: Delivery): string {
  const failures = attemptCount === 1 ? '1 attempt' : `${attemptCount} attempts`;
  return `${failures} to deliver ${eventId} failed; the last: ${toLine(describe(attempts.at(-1)))}.`;
}

function describe(attempt: DeliveryAttempt | undefined): string {
  return attempt?.error ?? `the endpoint answered ${attempt?.responseStatus}`;
}

/** Origin and path: a query may have secrets. */
function toAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Errors quote what endpoints and name servers send; a mail has them in one line. */
function toLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
