import type { CallContext, Page, PageOf } from '@probity/core';
import { notFound } from '@probity/core';
import type { WebhookStorage } from '../storage.ts';
import type { Delivery, DeliveryFilter } from './types.ts';

/** The deliveries of webhooks. */
export interface Deliveries {
  /**
   * The webhook's deliveries, newest first. A page whose attempts exceed {@link MAX_PAGE_BYTES} has
   * fewer deliveries than `limit`.
   *
   * @throws ProbityError `not_found` when the organization has no such webhook
   */
  list(
    context: CallContext,
    webhookId: string,
    filter: DeliveryFilter,
    page: Page,
  ): Promise<PageOf<Delivery>>;
}

/** Largest size of the attempts of a page as JSON; the answer stays below 1 MB. */
const MAX_PAGE_BYTES = 900_000;

/** Dependencies of the service. */
export interface DeliveryOptions {
  readonly storage: WebhookStorage;
}

/** Creates the delivery service. */
export function createDeliveries({ storage }: DeliveryOptions): Deliveries {
  return {
    async list({ principal }, webhookId, filter, page) {
      if (!(await storage.findWebhook(principal.organizationId, webhookId))) {
        throw notFound('webhook');
      }
      return storage.listDeliveries(webhookId, filter, { ...page, maxBytes: MAX_PAGE_BYTES });
    },
  };
}
