import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { deliveryPromises } from './deliveries/contract.ts';
import { replayPromises } from './replays/contract.ts';
import { secretPromises } from './secrets/contract.ts';
import { statPromises } from './stats/contract.ts';
import type { WebhookStorage } from './storage.ts';
import { webhookPromises } from './webhooks/contract.ts';

/** The contract of {@link WebhookStorage} as tests for `node:test`, for any adapter to pass. */
export function describeWebhookStorage(target: StorageTarget<WebhookStorage>): void {
  describeStorage(target, {
    ...webhookPromises,
    ...secretPromises,
    ...deliveryPromises,
    ...replayPromises,
    ...statPromises,
  });
}
