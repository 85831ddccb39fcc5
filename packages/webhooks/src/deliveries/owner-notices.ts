import type { OwnerNotice } from '@probity/core';
import type { Webhook } from '../webhooks/types.ts';
import type { Delivery, DeliveryAttempt } from './types.ts';

/** The notice that a webhook was disabled at `at`. */
export function disabledNotice(webhook: Webhook, reason: string, at: Date): OwnerNotice {
  return {
    organizationId: webhook.organizationId,
    subject: 'A webhook was disabled',
    text: [
      `The webhook ${webhook.id} was disabled at ${at.toISOString()}. It gets no further events.`,
      '',
      `Address: ${toAddress(webhook.url)}`,
      `Reason: ${toLine(reason)}`,
      '',
      'What to do: let the address answer every request with a status from 200 to 299 within 30 seconds, then turn the webhook on again:',
      `PATCH /webhooks/${webhook.id} {"active": true}`,
      '',
      'It gets the events from then on. Events that did not arrive are listed for 90 days:',
      `GET /webhooks/${webhook.id}/deliveries`,
    ].join('\n'),
  };
}

/** The notice that one more failure of the delivery disables the webhook. */
export function failingNotice(webhook: Webhook, delivery: Delivery): OwnerNotice {
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
      `GET /webhooks/${webhook.id}/deliveries?status=pending`,
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
