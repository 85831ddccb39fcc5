import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import { done } from '../jobs/outcome.ts';
import type { JobGroup, LeasedJob, NewJob } from '../jobs/storage.ts';
import type { Worker } from '../jobs/worker.ts';
import { createWorker } from '../jobs/worker.ts';
import { createRepeating } from '../lifecycle/repeating.ts';
import type { Logger } from '../logging/logger.ts';
import type { Database, KernelOperations } from '../storage/database.ts';
import type { EventRecord } from './events.ts';

/** The queue of events not yet handed to the subscribers. */
export const OUTBOX_QUEUE = 'outbox';

/** Receives every event of a database, in whichever process it is present. */
export interface EventSubscriber {
  /**
   * Unique in the database, lower case: `webhooks`. Events are kept for a registered name until a
   * process that has it takes them; see {@link createOutboxRelay}.
   */
  readonly name: string;
  /**
   * Turns an event into the subscriber's work (a delivery, a message), in the transaction that
   * removes the event from the outbox. It may only write to the database; its jobs do the work
   * itself.
   *
   * Other organizations' events wait for this transaction, so it should write few rows. A subscriber
   * with more to write returns a cursor of its choice: it is called again with it, in a later
   * transaction, after others had their turns. A part that fails is repeated alone.
   *
   * @param after the cursor that the previous call returned; undefined at the first one
   */
  receive(
    event: EventRecord,
    tx: KernelOperations,
    after?: string,
  ): Promise<void> | Promise<string | undefined>;
}

/** The queue of events that a process without the subscriber has left to it. */
export function subscriberQueue(name: string): string {
  return `${OUTBOX_QUEUE}.${name}`;
}

/** The subscriber whose queue this is; null for other queues. */
export function subscriberOfQueue(queue: string): string | null {
  const prefix = subscriberQueue('');
  return queue.startsWith(prefix) ? queue.slice(prefix.length) : null;
}

/** Settings of the relay. */
export interface OutboxRelayOptions {
  readonly database: Database;
  readonly subscribers: readonly EventSubscriber[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Pick<Ids, 'next'>;
  readonly pollMs?: number | undefined;
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

/** The groups of the jobs that hand events of the tenant to a subscriber. */
export function outboxGroups(name: string, tenantId: string): JobGroup[] {
  return [OUTBOX_QUEUE, subscriberQueue(name)].map((queue) => ({
    queue,
    tenantId,
    group: tenantId,
  }));
}

/**
 * The job that hands an event, or the part of it after a cursor, to one subscriber. It is due like the
 * event, so that a tenant's events are finished in their order.
 */
function partJobOf(name: string, event: EventRecord, after?: string): NewJob {
  const payload = { eventId: event.id, ...(after === undefined ? {} : { after }) };
  return { ...outboxJobOf(event), queue: subscriberQueue(name), payload };
}

/** A subscriber may write several rows, and lock rows of the tenant. */
const BY_TENANT = { byTenant: true };

/**
 * Events at once in a process. More gain little, as their results are stored in few transactions, and
 * an event that comes next waits for the processor.
 */
const EVENTS_AT_ONCE = 8;

/**
 * Parts of one subscriber's work at once in a process, of which one tenant has one at a time: the other
 * place is free for a tenant that comes next.
 */
const PARTS_AT_ONCE = 2;

/** How often a running relay confirms the registration of its subscribers. */
const REGISTRATION_INTERVAL_MS = 3_600_000;

/** How long a subscriber that failed gets its events apart from the others. */
const SEPARATE_MS = 300_000;

/**
 * The worker that removes events from the outbox and hands each to every subscriber exactly once:
 * the subscribers' writes commit together with the completion of the event's job.
 *
 * The processes on a database may have different subscribers, as during a rolling deployment. A
 * relay registers its own when it starts; an event that it takes is left in a queue of its own for
 * every registered subscriber that it does not have. An event that a subscriber fails to take goes to
 * a queue of its own for each of them, where it is retried and fails for this one alone; so do, for
 * five minutes, all events for the subscriber that failed, and the rest of an event that a subscriber
 * takes in parts.
 */
export function createOutboxRelay(options: OutboxRelayOptions): Worker {
  const { database, subscribers, clock, logger } = options;
  const own = new Set(subscribers.map(({ name }) => name));
  const eventOf = (job: LeasedJob) =>
    database.kernel(database.reader).findEvent(job.payload.eventId ?? '');
  const register = () =>
    database.transaction((session) =>
      database.kernel(session).registerSubscribers([...own], clock.now()),
    );

  /** Subscribers that failed lately, until a time of the monotonic clock. */
  const failing = new Map<string, number>();
  const receive = async (
    subscriber: EventSubscriber,
    event: EventRecord,
    tx: KernelOperations,
    after?: string,
  ) => {
    try {
      const next = await subscriber.receive(event, tx, after);
      if (typeof next === 'string') await tx.enqueueJobs([partJobOf(subscriber.name, event, next)]);
    } catch (error) {
      failing.set(subscriber.name, clock.monotonicMs() + SEPARATE_MS);
      throw error;
    }
  };
  const isFailing = (name: string) => (failing.get(name) ?? 0) > clock.monotonicMs();

  const relay = createWorker({
    ...options,
    queue: OUTBOX_QUEUE,
    concurrency: EVENTS_AT_ONCE,
    handler: async (job) => {
      const event = await eventOf(job);
      if (!event) return done();
      return done(async (tx) => {
        // One of them may be why the last attempt failed: each gets the event alone.
        const isSeparate = ({ name }: EventSubscriber) => job.attempts > 1 || isFailing(name);
        const separate = subscribers.filter(isSeparate).map(({ name }) => name);
        for (const subscriber of subscribers) {
          if (!separate.includes(subscriber.name)) await receive(subscriber, event, tx);
        }
        const others = (await tx.listSubscribers()).filter((name) => !own.has(name));
        const left = [...separate, ...others].map((name) => partJobOf(name, event));
        if (left.length > 0) await tx.enqueueJobs(left);
      }, BY_TENANT);
    },
  });
  const takers = subscribers.map((subscriber) =>
    createWorker({
      ...options,
      queue: subscriberQueue(subscriber.name),
      concurrency: PARTS_AT_ONCE,
      handler: async (job) => {
        const event = await eventOf(job);
        if (!event) return done();
        return done((tx) => receive(subscriber, event, tx, job.payload.after), BY_TENANT);
      },
    }),
  );
  const registering = createRepeating({
    clock,
    intervalMs: REGISTRATION_INTERVAL_MS,
    work: () =>
      register().catch((error: unknown) =>
        logger.error('registering event subscribers failed', { error }),
      ),
  });
  const workers = [relay, ...takers];
  return {
    async start() {
      if (own.size > 0) {
        await register();
        await registering.start();
      }
      for (const worker of workers) await worker.start();
    },
    async stop() {
      await registering.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
    },
    wake() {
      for (const worker of workers) worker.wake();
    },
    async runOnce() {
      let total = 0;
      for (const worker of workers) total += await worker.runOnce();
      return total;
    },
  };
}
