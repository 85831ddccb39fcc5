import type { GroupDocumentation, WebhookDocumentation } from '@probity/core/koa';
import { timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { EventCatalog, EventDefinition } from './events/catalog.ts';
import { examples } from './examples.generated.ts';

const TAG = 'Webhooks';

/** Documentation of the webhook endpoints, and of the requests with the events of the catalog. */
export function createWebhookDocumentation(catalog: EventCatalog): GroupDocumentation {
  return {
    examples,
    tags: { [TAG]: 'Addresses that events are sent to, signed, and the deliveries to them.' },
    webhooks: Object.fromEntries(
      Object.entries(catalog).map(([type, definition]) => [type, toWebhook(type, definition)]),
    ),
  };
}

const always = (description: string) => ({ description, isRequired: true });

/** The headers of a delivery that receivers use. */
const HEADERS = {
  'webhook-id': always('Id of the event, the same at every attempt.'),
  'webhook-timestamp': always('Time of the attempt, in seconds since 1970.'),
  'webhook-signature': always(
    'Signatures as Standard Webhooks describes them, one for each secret, separated by spaces.',
  ),
  'X-Service-Signature': always(
    '`sha256=` and the HMAC of the body in hex, keyed with the secret.',
  ),
  'webhook-test': { description: '`true` for a test; absent otherwise.', isRequired: false },
};

function toWebhook(type: string, definition: EventDefinition): WebhookDocumentation {
  const { description, schema = z.record(z.string(), z.unknown()), example } = definition;
  const name = toPascalCase(type);
  const envelope = z
    .object({ id: z.string(), type: z.literal(type), timestamp, data: schema })
    .meta({ id: `${name}Event` });
  return {
    operationId: `on${name}`,
    summary: `Receive ${type}`,
    description,
    tag: TAG,
    headers: HEADERS,
    schema: envelope,
    example: { id: 'evt_1', type, timestamp: '2026-01-01T12:00:00.000Z', data: example },
    response: 'The event is delivered. After any other response the delivery is attempted again.',
  };
}

/** Converts `alert.created` to `AlertCreated`; other characters stay, so that types differ. */
function toPascalCase(type: string): string {
  return type.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
