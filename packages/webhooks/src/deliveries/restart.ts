import type { WebhookTransaction } from '../storage.ts';
import type { QueuedDelivery } from './queue.ts';
import { deliveryJob } from './queue.ts';
import type { Delivery } from './types.ts';

/**
 * Makes a delivery pending again that has ended, due at `at`, and stores its job. Runs under the tenant's
 * lock, which keeps the job from the worker that ends withdrawn deliveries.
 * @returns the delivery; null, without a change of it, while an attempt is in progress or it is pending
 */
export async function restart(
  tx: WebhookTransaction,
  delivery: QueuedDelivery,
  at: Date,
): Promise<Delivery | null> {
  // Jobs first, the lock order of a worker that stores a result. What is left is in progress.
  await tx.dropJobs([delivery.id]);
  if (!(await tx.ensureJob(deliveryJob(delivery, at)))) return null;
  return tx.restartDelivery(delivery.id, at, delivery.replayId);
}
