import { oneOf } from '@probity/core/koa';
import type { EventCatalogue } from './catalogue.ts';

/** An event type of the catalogue; the description says when each is sent. */
export function eventTypeSchema(catalogue: EventCatalogue) {
  const lines = Object.entries(catalogue).map(
    ([type, { description }]) => `- \`${type}\`: ${description}`,
  );
  return oneOf(Object.keys(catalogue)).meta({
    id: 'WebhookEventType',
    description: lines.join('\n'),
  });
}
