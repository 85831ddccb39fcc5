import type { Ids, LeasedJob, NewJob, Runtime, Worker } from '@probity/core';
import { createWorker, done, OUTSIDE_REQUEST, retryAt, toProbityError } from '@probity/core';
import { deliveryJob } from '../deliveries/queue.ts';
import { restart } from '../deliveries/restart.ts';
import { newDelivery } from '../deliveries/subscriber.ts';
import type { Delivery } from '../deliveries/types.ts';
import type { WebhookStorage, WebhookTransaction } from '../storage.ts';
import type { Webhook } from '../webhooks/types.ts';
import type { Replay, ReplayItem, ReplayStatus } from './types.ts';

/** The queue of replays that are running. */
export const REPLAY_QUEUE = 'webhooks.replay';

/** Deliveries of a replay whose attempt may be due at a time. */
export const REPLAY_WINDOW = 4;
/** Between two batches of a replay: with the window they limit it to 40 events a second. */
const PAUSE_MS = 100;
/** Between two looks at a window that an endpoint does not empty. */
const MAX_PAUSE_MS = 5_000;
/** Items of one transaction that sends, of which some may be of other types. */
const SEND_PAGE = 256;
/** Items of one transaction that counts. */
const COUNT_PAGE = 2_000;
/** Replays that a process works on at once, so that many together do not send more. */
const CONCURRENCY = 4;

/** The job of a replay, with the replay's id. */
export function replayJob({ id, organizationId, webhookId }: Replay, dueAt: Date): NewJob {
  return {
    id,
    queue: REPLAY_QUEUE,
    tenantId: organizationId,
    group: webhookId,
    payload: { webhookId, replayId: id },
    dueAt,
  };
}

/** Dependencies of the worker. */
export interface ReplayWorkerOptions {
  readonly storage: WebhookStorage;
}

/**
 * Creates the worker of replays. Each run of a job is one transaction: it counts a part of the events, or
 * sends as many as the window has room for, and stores the place that it has reached. A process that
 * dies in between loses nothing.
 */
export function createReplayWorker(runtime: Runtime, { storage }: ReplayWorkerOptions): Worker {
  const { database, clock, logger, ids } = runtime;
  return createWorker({
    database,
    queue: REPLAY_QUEUE,
    clock,
    logger,
    ids,
    concurrency: CONCURRENCY,
    hardLimit: CONCURRENCY,
    groupConcurrency: 1,
    async handler(job) {
      const nextAt = await runStep(storage, job, ids, () => clock.now());
      return nextAt ? retryAt(nextAt) : done();
    },
    async onGivenUp({ session }, { payload: { webhookId = '', replayId = '' } }) {
      await storage.transaction({ session }, async (tx) => {
        const replay = await tx.findReplay(webhookId, replayId);
        if (replay) await end(tx, replay, 'failed', clock.now());
      });
    },
  });
}

/** Returns when the next step is due; null when the replay has ended. */
async function runStep(
  storage: WebhookStorage,
  { tenantId, payload: { webhookId = '', replayId = '' } }: LeasedJob,
  ids: Ids,
  readClock: () => Date,
): Promise<Date | null> {
  try {
    // Under the lock, so that the webhook is not turned off, and no delivery found here is restarted or
    // held, before the transaction ends.
    return await storage.withTenantLock(OUTSIDE_REQUEST, tenantId ?? '', async (tx) => {
      const now = readClock();
      const replay = await tx.findReplay(webhookId, replayId);
      const webhook = replay && (await tx.findWebhook(replay.organizationId, webhookId));
      if (!webhook || replay.status !== 'running') return null;
      if (webhook.activation !== replay.activation) return end(tx, replay, 'stopped', now);
      const delayMs = replay.isCounted
        ? await send(tx, { replay, webhook, ids, now })
        : await count(tx, replay);
      return delayMs === null ? null : new Date(now.getTime() + delayMs);
    });
  } catch (error) {
    // The organization was removed, and with it the replay.
    if (toProbityError(error).kind === 'not_found') return null;
    throw error;
  }
}

async function end(
  tx: WebhookTransaction,
  replay: Replay,
  status: ReplayStatus,
  endedAt: Date,
): Promise<null> {
  await tx.updateReplay({ ...replay, status, endedAt });
  return null;
}

/** The next items in the order of the replay, those included that it leaves out. */
async function listItems(
  tx: WebhookTransaction,
  { kind, organizationId, webhookId, since, until, cursor }: Replay,
  limit: number,
): Promise<ReplayItem[]> {
  if (kind === 'failed') {
    return tx.listUndelivered(webhookId, { since, until }, cursor, limit);
  }
  const events = await tx.listEventsOf({ organizationId, since, until }, cursor, limit);
  return events.map(({ id, type, createdAt, isTest }) => {
    return { place: { createdAt, id }, event: { id, type }, isTest };
  });
}

function isSent({ types }: Replay, { event, isTest }: ReplayItem): boolean {
  return !isTest && (types === null || types.includes(event.type));
}

/** Counts one page. Returns the milliseconds until the next step. */
async function count(tx: WebhookTransaction, replay: Replay): Promise<number> {
  if (await isWithdrawing(tx, replay)) return PAUSE_MS;
  const items = await listItems(tx, replay, COUNT_PAGE);
  const total = replay.total + items.filter((item) => isSent(replay, item)).length;
  const isCounted = items.length < COUNT_PAGE;
  const cursor = isCounted ? null : (items.at(-1)?.place ?? null);
  await tx.updateReplay({ ...replay, total, isCounted, cursor });
  return 0;
}

/** Whether deliveries that are read as held are still stored as pending, so that they are not found. */
async function isWithdrawing(
  tx: WebhookTransaction,
  { kind, webhookId }: Replay,
): Promise<boolean> {
  if (kind !== 'failed') return false;
  const { deliveryIds } = await tx.findWithdrawn(webhookId, 1);
  return deliveryIds.length > 0;
}

/** A step of a replay whose events are counted. */
interface SendStep {
  readonly replay: Replay;
  readonly webhook: Webhook;
  readonly ids: Ids;
  readonly now: Date;
}

/** Sends the next events. Returns the milliseconds until the next step; null at the end. */
async function send(tx: WebhookTransaction, step: SendStep): Promise<number | null> {
  const { replay, now } = step;
  const { due, latestDueAt } = await tx.countReplayed(replay.id, now, REPLAY_WINDOW);
  const waitMs = pauseAfter(latestDueAt, now);
  const room = REPLAY_WINDOW - due;
  if (room < REPLAY_WINDOW / 2) return waitMs;
  const items = await listItems(tx, replay, SEND_PAGE);
  if (items.length === 0) return due > 0 ? waitMs : end(tx, replay, 'completed', now);
  const matching = items.filter((item) => isSent(replay, item));
  const offered = matching.slice(0, room);
  const taken = await sendAgain(tx, step, offered);
  const isPageDone = taken === matching.length;
  const reached = isPageDone ? items.at(-1) : offered[taken - 1];
  if (!reached) return PAUSE_MS;
  const done = replay.done + taken;
  // Events may have been stored, and deliveries may have failed, since they were counted.
  const total = Math.max(replay.total, done);
  await tx.updateReplay({ ...replay, total, done, cursor: reached.place });
  return taken > 0 ? PAUSE_MS : 0;
}

/**
 * Half of the time since deliveries became due last, within bounds. The first of them may wait for the end
 * of a lease while the others are sent.
 */
function pauseAfter(latestDueAt: Date | null, now: Date): number {
  const ageMs = latestDueAt ? now.getTime() - latestDueAt.getTime() : 0;
  return Math.min(Math.max(ageMs / 2, PAUSE_MS), MAX_PAUSE_MS);
}

/**
 * Makes deliveries of the events pending, those that are missing included; pending ones stay as they are.
 * Stops before a delivery whose attempt is in progress. They are due one after another, which is the order in
 * which an ordered webhook gets them.
 * @returns the number of items that were taken
 */
async function sendAgain(
  tx: WebhookTransaction,
  { replay, webhook, ids, now }: SendStep,
  items: readonly ReplayItem[],
): Promise<number> {
  const { id: replayId, organizationId, webhookId } = replay;
  const eventIds = items.map(({ event }) => event.id);
  const stored = await tx.listDeliveriesOf(webhookId, eventIds);
  const byEvent = new Map(stored.map((delivery) => [delivery.eventId, delivery]));
  const missing: Delivery[] = [];
  let taken = 0;
  for (const { event } of items) {
    const dueAt = new Date(now.getTime() - (items.length - 1 - taken));
    const delivery = byEvent.get(event.id);
    if (!delivery) {
      missing.push(newDelivery(ids, webhook, event, dueAt, replayId));
    } else if (delivery.status !== 'pending') {
      const queued = { ...delivery, organizationId, webhookId, replayId };
      if (!(await restart(tx, queued, dueAt))) break;
    }
    taken += 1;
  }
  const inserted = await tx.insertDeliveries(missing);
  await tx.enqueueJobs(inserted.map((delivery) => deliveryJob(delivery, delivery.pendingSince)));
  return taken;
}
