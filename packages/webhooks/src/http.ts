import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, generalErrors } from '@probity/core/koa';
import type { Deliveries } from './deliveries/deliveries.ts';
import { deliveryEndpoints } from './deliveries/http.ts';
import { eventTypeEndpoints, storedEventEndpoints } from './events/http.ts';
import { portalTokenEndpoints } from './portal/http.ts';
import { replayEndpoints } from './replays/http.ts';
import type { Replays } from './replays/replays.ts';
import { statEndpoints } from './stats/http.ts';
import { webhookResourceEndpoints } from './webhooks/http.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/** The services behind the webhook endpoints. */
export interface WebhookServices {
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly replays: Replays;
}

/** Every endpoint of webhooks, relative to `/api/v1`. */
export function webhookEndpoints({ webhooks, deliveries, replays }: WebhookServices): Endpoint[] {
  return [
    ...eventTypeEndpoints(webhooks.eventTypes),
    ...storedEventEndpoints(webhooks),
    ...webhookResourceEndpoints(webhooks),
    ...deliveryEndpoints(deliveries, webhooks.eventTypes),
    ...replayEndpoints(replays, webhooks.eventTypes),
    ...statEndpoints(deliveries),
    ...portalTokenEndpoints(webhooks),
  ];
}

/** The webhook endpoints as a router, to be mounted at `/api/v1` or under a host's prefix. */
export function createWebhookRouter(services: WebhookServices, options: RouterOptions): Router {
  return createEndpointRouter(webhookEndpoints(services), generalErrors, options);
}
