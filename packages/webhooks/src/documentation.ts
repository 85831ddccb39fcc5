import type { GroupDocumentation } from '@probity/core/koa';
import { examples } from './examples.generated.ts';

/** Documentation of the webhook endpoints. */
export const webhookDocumentation: GroupDocumentation = {
  examples,
  tags: { Webhooks: 'Addresses that events are sent to, signed, and the deliveries to them.' },
};
