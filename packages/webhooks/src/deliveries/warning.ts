import type { NewJob, OwnerNotices, Runtime, Worker } from '@probity/core';
import { createWorker, done, retryAt } from '@probity/core';
import type { WebhookStorage } from '../storage.ts';
import { describeFailures, failingNotice } from './owner-notices.ts';
import type { WebhookRetryProfile } from './retry.ts';
import { isDisabling } from './retry.ts';
import type { Delivery } from './types.ts';

/** The queue of deliveries about which the owners may have to be warned. */
export const WARNING_QUEUE = 'webhooks.warn';

/**
 * Milliseconds from the failure to the warning, and the least from the warning to the next attempt. A webhook
 * that is disabled before has one notice, that it was; under the standard profile mostly so.
 */
const WARNING_DELAY_MS = 60_000;

const CONCURRENCY = 4;

/** Whether one more failure of the delivery disables its webhook; that of a test never does. */
export function isLastChance(delivery: Delivery, retry: WebhookRetryProfile): boolean {
  const { status, attemptCount, isTest } = delivery;
  return !isTest && status === 'pending' && isDisabling(retry, attemptCount + 1);
}

/** The job that warns the owners of the webhook unless the delivery ends before; one for each delivery. */
export function warningJob({ id, organizationId, webhookId }: Delivery, failedAt: Date): NewJob {
  return {
    id: `warn_${id}`,
    queue: WARNING_QUEUE,
    tenantId: organizationId,
    group: webhookId,
    payload: { deliveryId: id },
    dueAt: new Date(failedAt.getTime() + WARNING_DELAY_MS),
  };
}

/** Dependencies of the worker. */
export interface WarningOptions {
  readonly storage: WebhookStorage;
  /** Default: the audit log alone has the warning. */
  readonly notices?: OwnerNotices | undefined;
  /** The path below which notices say that the endpoints are; default none. */
  readonly apiPath?: string | undefined;
}

/**
 * Creates the worker that warns the owners of webhooks which the next failure disables: one notice and one
 * audit entry for each time that a webhook is turned on. None is sent for a delivery that has ended, and none
 * less than a minute before the next attempt, which may disable the webhook.
 */
export function createWarningWorker(
  { database, clock, logger, ids, audit }: Runtime,
  { storage, notices, apiPath = '' }: WarningOptions,
): Worker {
  return createWorker({
    database,
    queue: WARNING_QUEUE,
    clock,
    logger,
    ids,
    concurrency: CONCURRENCY,
    hardLimit: CONCURRENCY,
    groupConcurrency: 1,
    async handler({ payload }) {
      const [dispatch] = await storage.findDispatches([payload.deliveryId ?? '']);
      const delivery = dispatch?.delivery;
      if (delivery?.status !== 'pending' || !delivery.nextAttemptAt) return done();
      const nowMs = clock.now().getTime();
      const nextMs = Math.max(nowMs, delivery.nextAttemptAt.getTime());
      if (nextMs - nowMs < WARNING_DELAY_MS) return retryAt(new Date(nextMs + WARNING_DELAY_MS));
      // Locks the webhook and the end of the audit log.
      return done(
        ({ session }) =>
          storage.transaction({ session }, async (tx) => {
            const { webhookId, activation, organizationId, id } = delivery;
            const nextAttemptAt = new Date(nextMs).toISOString();
            const webhook = await tx.markWarned(webhookId, activation);
            if (!webhook) return;
            const reason = describeFailures(delivery);
            const by = { organizationId, system: 'webhook-deliverer' };
            const after = { deliveryId: id, reason, nextAttemptAt };
            await audit.record(
              tx,
              by,
              'webhook.failing',
              { type: 'webhook', id: webhookId },
              { after },
            );
            await notices?.send(tx, failingNotice(webhook, delivery, apiPath));
          }),
        { byTenant: true },
      );
    },
  });
}
