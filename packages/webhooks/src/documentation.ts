import type { GroupDocumentation } from '@probity/core/koa';

/** Documentation of the webhook endpoints. */
export const webhookDocumentation: GroupDocumentation = {
  tags: { Webhooks: 'Addresses that events are sent to, signed, and the deliveries to them.' },
};
