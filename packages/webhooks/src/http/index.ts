import type { Router } from '@koa/router';
import {
  createEndpointRouter,
  type Endpoint,
  generalErrors,
  type RouterOptions,
} from '@probity/core/koa';
import type { Webhooks } from '../webhooks.ts';
import { deliveryEndpoints } from './deliveries.ts';
import { webhookResourceEndpoints } from './webhooks.ts';

/** The services behind the webhook interface. */
export interface WebhookServices {
  readonly webhooks: Webhooks;
}

/** Every endpoint of webhooks, relative to `/api/v1`. */
export function webhookEndpoints({ webhooks }: WebhookServices): Endpoint[] {
  return [...webhookResourceEndpoints(webhooks), ...deliveryEndpoints(webhooks)];
}

/** The webhook interface as a router, to be mounted at `/api/v1` or under a host's prefix. */
export function createWebhookRouter(services: WebhookServices, options: RouterOptions): Router {
  return createEndpointRouter(webhookEndpoints(services), generalErrors, options);
}
