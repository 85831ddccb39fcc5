import DataLoader from 'dataloader';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { BatchWrite } from '../jobs/batch.ts';
import type { ApplyOutcome } from '../jobs/outcome.ts';
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
  /**
   * Does the same at once for events that come together, which takes fewer statements; returns the cursor of each.
   * When it fails, each event is handed to `receive`. Default: `receive` for each.
   */
  receiveAll?(
    events: readonly EventRecord[],
    tx: KernelOperations,
  ): Promise<ReadonlyArray<string | undefined>>;
}

/** An event that its relay hands to the subscribers. */
interface RelayedEvent {
  readonly event: EventRecord;
  /** Of its job, the present one included. */
  readonly attempts: number;
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

/** Hands events to a subscriber; returns the cursor of each. */
async function receiveWith(
  subscriber: EventSubscriber,
  events: readonly EventRecord[],
  tx: KernelOperations,
  after?: string,
): Promise<ReadonlyArray<string | undefined>> {
  const [, second] = events;
  if (second && subscriber.receiveAll) return subscriber.receiveAll(events, tx);
  const cursors: Array<string | undefined> = [];
  for (const event of events) {
    const next: unknown = await subscriber.receive(event, tx, after);
    cursors.push(typeof next === 'string' ? next : undefined);
  }
  return cursors;
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

/** Events at once in a process, whose results are stored in few transactions. */
const EVENTS_AT_ONCE = 64;

/**
 * Parts of one subscriber's work at once in a process, of which one tenant has one at a time: the other
 * place is free for a tenant that comes next.
 */
const PARTS_AT_ONCE = 2;

/** The event is stored: what is made of it is made again when it is missing. */
const DEFERRED = { durability: 'deferred' } as const;

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
  // Those of the jobs of one claim are read by one statement.
  const events = new DataLoader<string, EventRecord | null>(
    async (ids) => {
      const found = await database.kernel(database.reader).findEvents(ids);
      const byId = new Map(found.map((event) => [event.id, event]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    { cache: false },
  );
  const eventOf = (job: LeasedJob) => events.load(job.payload.eventId ?? '');
  const register = () =>
    database.transaction((session) =>
      database.kernel(session).registerSubscribers([...own], clock.now()),
    );

  /** Subscribers that failed lately, until a time of the monotonic clock. */
  const failing = new Map<string, number>();
  /** Returns the jobs for the rest of those events that are taken in parts. */
  const receive = async (
    subscriber: EventSubscriber,
    events: readonly EventRecord[],
    tx: KernelOperations,
    after?: string,
  ) => {
    try {
      const cursors = await receiveWith(subscriber, events, tx, after);
      return events.flatMap((event, index) => {
        const next = cursors[index];
        return next === undefined ? [] : [partJobOf(subscriber.name, event, next)];
      });
    } catch (error) {
      failing.set(subscriber.name, clock.monotonicMs() + SEPARATE_MS);
      throw error;
    }
  };
  const isFailing = (name: string) => (failing.get(name) ?? 0) > clock.monotonicMs();

  const receiveAll: BatchWrite<RelayedEvent> = async (tx, relayed) => {
    const jobs: NewJob[] = [];
    for (const subscriber of subscribers) {
      // One of them may be why the last attempt failed: each gets the event alone.
      const isSeparate = ({ attempts }: RelayedEvent) => attempts > 1 || isFailing(subscriber.name);
      const direct = relayed.filter((each) => !isSeparate(each)).map(({ event }) => event);
      const separate = relayed.filter(isSeparate).map(({ event }) => event);
      jobs.push(...separate.map((event) => partJobOf(subscriber.name, event)));
      if (direct.length > 0) jobs.push(...(await receive(subscriber, direct, tx)));
    }
    const others = (await tx.listSubscribers()).filter((name) => !own.has(name));
    jobs.push(...relayed.flatMap(({ event }) => others.map((name) => partJobOf(name, event))));
    if (jobs.length > 0) await tx.enqueueJobs(jobs);
  };

  const relay = createWorker({
    ...options,
    ...DEFERRED,
    queue: OUTBOX_QUEUE,
    concurrency: EVENTS_AT_ONCE,
    groupConcurrency: EVENTS_AT_ONCE,
    handler: async (job) => {
      const event = await eventOf(job);
      if (!event) return done();
      const { attempts } = job;
      const apply: ApplyOutcome = async (_tx, batch) => batch.add(receiveAll, { event, attempts });
      return done(apply, { ...BY_TENANT, isBatched: true });
    },
  });
  const takers = subscribers.map((subscriber) =>
    createWorker({
      ...options,
      ...DEFERRED,
      queue: subscriberQueue(subscriber.name),
      concurrency: PARTS_AT_ONCE,
      handler: async (job) => {
        const event = await eventOf(job);
        if (!event) return done();
        return done(async (tx) => {
          const rest = await receive(subscriber, [event], tx, job.payload.after);
          if (rest.length > 0) await tx.enqueueJobs(rest);
        }, BY_TENANT);
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
