import type { EventRecord } from '@probity/core';
import type { WebhookFormat } from '../webhooks/types.ts';
import { toEnvelope } from './envelope.ts';
import { toSlackMessage } from './slack-message.ts';

const bodies: Readonly<Record<WebhookFormat, (event: EventRecord) => string>> = {
  standard: toEnvelope,
  slack: toSlackMessage,
};

/** The request body for an event in the format of a webhook; it depends on nothing else. */
export function toBody(event: EventRecord, format: WebhookFormat): string {
  return bodies[format](event);
}
