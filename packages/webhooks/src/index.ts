export { createWebhookDeliverer, type WebhookDelivererOptions } from './deliverer.ts';
export { DELIVERY_QUEUE } from './delivery-queue.ts';
export { createMemoryWebhookStorage } from './memory.ts';
export { RETRY_PROFILES, type WebhookRetryProfile } from './retry.ts';
export { sealedWebhookSecrets } from './sealed-secrets.ts';
export type {
  DeliveryFilter,
  WebhookChanges,
  WebhookReads,
  WebhookStorage,
  WebhookWrites,
} from './storage.ts';
export { createWebhookSubscriber, type WebhookSubscriberDependencies } from './subscriber.ts';
export {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryStatus,
  type Dispatch,
  type Webhook,
} from './types.ts';
export {
  createWebhooks,
  type IssuedWebhook,
  MAX_WEBHOOKS,
  type NewWebhook,
  type WebhookDependencies,
  type Webhooks,
} from './webhooks.ts';
