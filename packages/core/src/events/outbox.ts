import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import { done } from '../jobs/outcome.ts';
import type { NewJob } from '../jobs/storage.ts';
import type { Worker } from '../jobs/worker.ts';
import { createWorker } from '../jobs/worker.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database, KernelOperations } from '../storage/database.ts';
import type { EventRecord } from './events.ts';

/** The queue of events not yet handed to the subscribers. */
export const OUTBOX_QUEUE = 'outbox';

/**
 * Turns an event into a subscriber's work (a delivery, a message), in the transaction that removes
 * the event from the outbox. It may only write to the database; its jobs do the work itself.
 */
export type EventSubscriber = (event: EventRecord, tx: KernelOperations) => Promise<void>;

/** Settings of the relay. */
export interface OutboxRelayOptions {
  readonly database: Database;
  readonly subscribers: readonly EventSubscriber[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Pick<Ids, 'next'>;
  readonly pollMs?: number;
}

const jobIds = createIds();

/**
 * Builds the job that delivers `event` to its subscribers. Events of one organization share a
 * group. The job has an id of its own: a host chooses event ids, and all jobs share one key space.
 */
export function outboxJobOf(event: EventRecord): NewJob {
  return {
    id: jobIds.next('job'),
    queue: OUTBOX_QUEUE,
    tenantId: event.organizationId,
    group: event.organizationId,
    payload: { eventId: event.id },
    dueAt: event.createdAt,
  };
}

/**
 * The worker that removes events from the outbox and hands each to every subscriber exactly once:
 * the subscribers' writes commit together with the completion of the event's job.
 */
export function createOutboxRelay(options: OutboxRelayOptions): Worker {
  const { database, subscribers } = options;
  return createWorker({
    ...options,
    queue: OUTBOX_QUEUE,
    groupConcurrency: 64,
    handler: async (job) => {
      const event = await database.kernel(database.reader).findEvent(job.payload.eventId ?? '');
      if (!event) return done();
      return done(async (tx) => {
        for (const subscriber of subscribers) await subscriber(event, tx);
      });
    },
  });
}
