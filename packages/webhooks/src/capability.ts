import type {
  Capability,
  Dialer,
  OwnerNotices,
  RetentionRule,
  Runtime,
  TargetCheckOptions,
} from '@probity/core';
import { createDialer, OUTSIDE_REQUEST } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { generalErrors } from '@probity/core/koa';
import { createWebhookDeliverer } from './deliveries/deliverer.ts';
import { createDeliveries } from './deliveries/deliveries.ts';
import { WEBHOOK_ATTEMPT_DURATION, WEBHOOK_ATTEMPTS } from './deliveries/metrics.ts';
import { DELIVERY_QUEUE } from './deliveries/queue.ts';
import type { WebhookRetryProfile } from './deliveries/retry.ts';
import { createWebhookSubscriber } from './deliveries/subscriber.ts';
import { createWarningWorker, WARNING_QUEUE } from './deliveries/warning.ts';
import { createWithdrawalWorker, WITHDRAWAL_QUEUE } from './deliveries/withdrawal.ts';
import { createWebhookDocumentation } from './documentation.ts';
import type { EventCatalog } from './events/catalog.ts';
import type { WebhookServices } from './http.ts';
import { webhookEndpoints } from './http.ts';
import { createReplays } from './replays/replays.ts';
import { createReplayWorker, REPLAY_QUEUE } from './replays/worker.ts';
import { sealedWebhookSecrets } from './secrets/secrets.ts';
import type { WebhookStorage } from './storage.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** Options of the webhook capability. */
export interface WebhookCapabilityOptions {
  /** Bound to the runtime's database. */
  readonly storage: WebhookStorage;
  /** Targets that may be called, checked at creation and at every delivery. */
  readonly targets: TargetCheckOptions;
  /** Default: one over `targets`, closed when the deliverer stops. */
  readonly dialer?: Dialer | undefined;
  /** Default: `RETRY_PROFILES.standard`. */
  readonly retry?: WebhookRetryProfile | undefined;
  /** Default: `PROBITY_EVENTS`. */
  readonly eventTypes?: EventCatalog | undefined;
  /** Tells the owners that a webhook is about to be disabled, or was; default: the audit log alone has it. */
  readonly notices?: OwnerNotices | undefined;
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
  /** Path below which the prefix is, as notices to owners name it; default none. */
  readonly mount?: string | undefined;
}

/**
 * The webhook capability: services, endpoints, event subscriber, deliverer, key rotation, metrics.
 * @throws Error when the runtime has no secret box
 */
export function createWebhookCapability(
  runtime: Runtime,
  options: WebhookCapabilityOptions,
): Capability<WebhookServices> {
  const { storage, targets, eventTypes, retry, notices, prefix = '/api/v1', mount = '' } = options;
  const apiPath = mount + prefix;
  const { clock } = runtime;
  const dialer = options.dialer ?? createDialer({ clock, ...targets });
  const deliverer = createWebhookDeliverer(runtime, { storage, dialer, retry, notices, apiPath });
  const warnings = createWarningWorker(runtime, { storage, notices, apiPath });
  const withdrawals = createWithdrawalWorker(runtime, { storage });
  const replays = createReplayWorker(runtime, { storage });
  const services: WebhookServices = {
    webhooks: createWebhooks(runtime, { storage, targets: { clock, ...targets }, eventTypes }),
    deliveries: createDeliveries(runtime, { storage, eventTypes }),
    replays: createReplays(runtime, { storage }),
  };
  return {
    name: 'webhooks',
    services,
    groups: [
      {
        prefix,
        errorFormat: generalErrors,
        endpoints: webhookEndpoints(services),
        documentation: createWebhookDocumentation(services.webhooks.eventTypes),
      },
    ],
    subscribers: [createWebhookSubscriber(runtime, { storage })],
    eventDependents: [
      {
        deleteOfEvents: (eventIds, limit) =>
          storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteDeliveriesOf(eventIds, limit)),
      },
    ],
    retention: webhookRetentionRules(storage),
    background: [
      { name: 'webhook warnings', start: () => warnings.start(), stop: () => warnings.stop() },
      {
        name: 'webhook withdrawals',
        start: () => withdrawals.start(),
        stop: () => withdrawals.stop(),
      },
      {
        name: 'webhook replays',
        start: () => replays.start(),
        stop: () => replays.stop(),
      },
      {
        name: 'webhook deliverer',
        start: () => deliverer.start(),
        async stop() {
          await deliverer.stop();
          if (!options.dialer) await dialer.close();
        },
      },
    ],
    sealed: [sealedWebhookSecrets(storage)],
    queues: [DELIVERY_QUEUE, WITHDRAWAL_QUEUE, WARNING_QUEUE, REPLAY_QUEUE],
    metrics: [WEBHOOK_ATTEMPTS, WEBHOOK_ATTEMPT_DURATION],
  };
}

/** Rules for records that do not refer to events: secrets that no longer sign, replays, and counts. */
function webhookRetentionRules(storage: WebhookStorage): RetentionRule[] {
  return [
    {
      name: 'webhook_secrets',
      olderThanMs: 0,
      deleteBatch: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteFormerSecrets(before, limit)),
    },
    {
      name: 'webhook_replays',
      olderThanMs: 90 * DAY_MS,
      deleteBatch: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteReplays(before, limit)),
    },
    {
      name: 'webhook_attempt_counts',
      olderThanMs: 8 * DAY_MS,
      deleteBatch: (before, limit) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteAttemptCounts(before, limit)),
    },
  ];
}
