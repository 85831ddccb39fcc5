import { MAX_URL_LENGTH } from '@probity/core/internal';
import { z } from 'zod';
import type { EventCatalog } from '../events/catalog.ts';
import { eventTypeList } from '../events/catalog.ts';
import { MAX_RATE_LIMIT } from './limits.ts';
import { WEBHOOK_FORMATS } from './types.ts';

const RATE_MESSAGE = `must be a whole number from 1 to ${MAX_RATE_LIMIT}, or null for no limit`;

/** The `rateLimit` of a webhook. */
export const rateLimit = z
  .int(RATE_MESSAGE)
  .min(1, RATE_MESSAGE)
  .max(MAX_RATE_LIMIT, RATE_MESSAGE)
  .nullable()
  .describe('The most deliveries that begin within a second; null for no limit.');

/** The `format` of a webhook. */
export const format = z
  .enum(WEBHOOK_FORMATS, `must be one of ${WEBHOOK_FORMATS.join(', ')}`)
  .describe(
    'The format of the body of a delivery: `standard` is the envelope of the event, `slack` a message for Slack, with `text` and `blocks`.',
  );

const givenFormat = format.optional().describe('At creation default `standard`.');

const ordered = z
  .boolean()
  .optional()
  .describe(
    'Whether deliveries are sent one at a time in the order of their events; one that fails holds the later ones until it ends. At creation default false.',
  );

/** What creates and what changes a webhook, over HTTP and in code; `events` accepts the types of the catalog. */
export function createWebhookInputs(eventTypes: EventCatalog) {
  // The service checks the address, and its messages say what is wrong with it.
  const url = z.string().meta({
    format: 'uri',
    maxLength: MAX_URL_LENGTH,
    description:
      'An https URL with a public address. For development, an http URL with a loopback address and port that the egress setting of the server names.',
  });
  const events = eventTypeList(eventTypes).meta({
    uniqueItems: true,
    description: 'Repeated types count once.',
  });
  const active = z.boolean().optional();
  const newWebhook = {
    url,
    events,
    format: givenFormat,
    active: active.describe('Default true.'),
    rateLimit: rateLimit.optional(),
    ordered,
  };
  const changes = {
    url: url.optional(),
    events: events.optional(),
    format: givenFormat,
    active: active.describe('True also clears disabledAt and disabledReason.'),
    rateLimit: rateLimit.optional(),
    ordered,
  };
  return {
    newWebhook: z.strictObject(newWebhook).meta({ id: 'NewWebhook' }),
    webhookChanges: z.strictObject(changes).meta({ id: 'WebhookChanges' }),
  };
}
