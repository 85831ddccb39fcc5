import { oneOf } from '@probity/core/koa';
import type { EventCatalog } from './catalog.ts';

/** An event type of the catalog; the description says when each is sent. */
export function eventTypeSchema(catalog: EventCatalog) {
  const lines = Object.entries(catalog).map(
    ([type, { description }]) => `- \`${type}\`: ${description}`,
  );
  return oneOf(Object.keys(catalog)).meta({
    id: 'WebhookEventType',
    description: lines.join('\n'),
  });
}
