export type { HostWebhooks, WebhookSettings } from './definition.ts';
export { webhooks } from './definition.ts';
export type { WebhookDelivererOptions } from './deliveries/deliverer.ts';
export { createWebhookDeliverer } from './deliveries/deliverer.ts';
export type { Deliveries, DeliveryDetail, DeliveryOptions } from './deliveries/deliveries.ts';
export { createDeliveries } from './deliveries/deliveries.ts';
export { WEBHOOK_ATTEMPT_DURATION, WEBHOOK_ATTEMPTS } from './deliveries/metrics.ts';
export { DELIVERY_QUEUE } from './deliveries/queue.ts';
export type { WebhookRetryProfile } from './deliveries/retry.ts';
export { RETRY_PROFILES } from './deliveries/retry.ts';
export { readWebhookRetry } from './deliveries/retry-setting.ts';
export type { DeliveryReads, DeliveryWrites, WithdrawnDeliveries } from './deliveries/storage.ts';
export type { WebhookSubscriberOptions } from './deliveries/subscriber.ts';
export { createWebhookSubscriber } from './deliveries/subscriber.ts';
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryFilter,
  DeliveryRecord,
  DeliveryRequest,
  DeliveryStatus,
  Dispatch,
} from './deliveries/types.ts';
export { DELIVERY_STATUSES } from './deliveries/types.ts';
export type { EventCatalog, EventDefinition } from './events/catalog.ts';
export { PROBITY_EVENTS } from './events/catalog.ts';
export type { StoredEvent, StoredEventFilter, StoredEvents } from './events/events.ts';
export type { NewEvent, Publish } from './events/publish.ts';
export { MAX_EVENT_BYTES } from './events/publish.ts';
export { createMemoryWebhookStorage } from './memory.ts';
export type { PortalCapability } from './portal/capabilities.ts';
export { PORTAL_CAPABILITIES } from './portal/capabilities.ts';
export type {
  IssuedPortalToken,
  NewPortalToken,
  PortalToken,
  PortalTokenFilter,
  PortalTokens,
} from './portal/tokens.ts';
export type { ReplayOptions, Replays } from './replays/replays.ts';
export { createReplays } from './replays/replays.ts';
export type {
  DeliveryOfEvent,
  DeliveryRange,
  ReplayBacklog,
  ReplayReads,
  ReplayWrites,
} from './replays/storage.ts';
export type {
  Replay,
  ReplayItem,
  ReplayKind,
  ReplayPlace,
  ReplayRequest,
  ReplayStatus,
} from './replays/types.ts';
export { REPLAY_QUEUE } from './replays/worker.ts';
export { MAX_OVERLAP_SECONDS } from './secrets/input.ts';
export type { RotatedWebhook, RotateSecret } from './secrets/rotation.ts';
export { MAX_SECRETS } from './secrets/rotation.ts';
export { sealedWebhookSecrets } from './secrets/secrets.ts';
export type { SecretReads, SecretWrites } from './secrets/storage.ts';
export type { FormerSecret, WebhookSecrets } from './secrets/types.ts';
export type { StatReads, StatWrites } from './stats/storage.ts';
export type { AttemptCount, AttemptStats, AttemptSummary } from './stats/types.ts';
export type { WebhookStorage } from './storage.ts';
export { MAX_WEBHOOKS } from './webhooks/limits.ts';
export type { WebhookReads, WebhookWrites } from './webhooks/storage.ts';
export type {
  IssuedWebhook,
  NewWebhook,
  Webhook,
  WebhookChanges,
  WebhookFormat,
} from './webhooks/types.ts';
export { WEBHOOK_FORMATS } from './webhooks/types.ts';
export { webhookWarnings } from './webhooks/warnings.ts';
export type { WebhookOptions, Webhooks } from './webhooks/webhooks.ts';
export { createWebhooks } from './webhooks/webhooks.ts';
