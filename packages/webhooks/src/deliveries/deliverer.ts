import type {
  Dialer,
  DialRequest,
  DialResult,
  EventRecord,
  JobOutcome,
  KernelOperations,
  OwnerNotices,
  Runtime,
  Worker,
} from '@probity/core';
import { createWorker, done, JOB_RETRY, OUTSIDE_REQUEST, retryAt } from '@probity/core';
import type { ApplyOutcome, BatchWrite } from '@probity/core/internal';
import { requireSecretBox, retryAfterOf } from '@probity/core/internal';
import DataLoader from 'dataloader';
import type { OpenSecret } from '../secrets/opener.ts';
import { createSecretOpener } from '../secrets/opener.ts';
import { countOf, mergeCounts } from '../stats/counts.ts';
import type { WebhookStorage, WebhookTransaction } from '../storage.ts';
import type { AttemptOutcome } from './attempt.ts';
import { afterAttempt, afterUnsentAttempt, nextNumber, toAttempt } from './attempt.ts';
import { toBody } from './body.ts';
import { NO_DNS_ANSWER, resultOf, WEBHOOK_ATTEMPT_DURATION, WEBHOOK_ATTEMPTS } from './metrics.ts';
import { describeFailures, disabledNotice } from './owner-notices.ts';
import { DELIVERY_QUEUE } from './queue.ts';
import type { WebhookRetryProfile } from './retry.ts';
import { checkWebhookRetryProfile, RETRY_PROFILES } from './retry.ts';
import { signatureHeaders } from './signing.ts';
import type { Delivery, DeliveryAttempt, DeliveryRequest, Dispatch } from './types.ts';
import { isLastChance, warningJob } from './warning.ts';
import { withdrawalJob } from './withdrawal.ts';

/** Dependencies of the deliverer beside a runtime with a secret box. */
export interface WebhookDelivererOptions {
  /** Bound to the runtime's database. */
  readonly storage: WebhookStorage;
  readonly dialer: Dialer;
  /** Default: {@link RETRY_PROFILES}.standard. */
  readonly retry?: WebhookRetryProfile | undefined;
  /** Told when a webhook is disabled; default: the audit log and the program's log alone have it. */
  readonly notices?: OwnerNotices | undefined;
  /** The path below which notices say that the endpoints are; default none. */
  readonly apiPath?: string | undefined;
}

/** The only time limit of an attempt, from DNS to the last byte (specification, "Limits"). */
const ATTEMPT_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 4_096;
/** Those whose result waits to be stored count: about half, in a burst. */
const CONCURRENCY = 128;
/** A TLS handshake takes 1 to 3 ms of the processor, so that a delivery waits for at most 20 ms. */
const START_CONCURRENCY = 8;
const USER_AGENT = 'Probity-Webhooks/1';
/** Marks a test, whose body is like that of an event. */
const TEST_HEADER = { 'webhook-test': 'true' };

/**
 * Creates the delivery worker: it signs, sends and stores each attempt, retries by the retry
 * profile, and disables webhooks that keep failing. Any number of workers may share a
 * database. Delivery is at least once: an attempt whose result could not be stored is repeated.
 *
 * @throws RangeError that names the first bad setting of `retry`
 */
export function createWebhookDeliverer(runtime: Runtime, options: WebhookDelivererOptions): Worker {
  const { database, clock, logger, ids, metrics } = runtime;
  const { storage, dialer } = options;
  const retry = checkWebhookRetryProfile(options.retry ?? RETRY_PROFILES.standard);
  const openSecret = createSecretOpener(requireSecretBox(runtime, 'webhooks'));
  const { findDispatch, findEvent } = createLoaders(runtime, storage);
  const store: BatchWrite<EndedAttempt> = ({ session }, ended) =>
    storage.transaction({ session }, (tx) => storeAttempts(runtime, tx, ended, retry, options));
  return createWorker({
    database,
    queue: DELIVERY_QUEUE,
    clock,
    logger,
    ids,
    // For failures that are not the endpoint's, such as a missing key; the endpoint's are answered by `retryAt`.
    retry: JOB_RETRY,
    concurrency: CONCURRENCY,
    startConcurrency: START_CONCURRENCY,
    // Without reading it: a delivery that cannot be read is given up as well.
    onGivenUp: ({ session }, { payload }) =>
      storage.transaction({ session }, (tx) => tx.failDelivery(payload.deliveryId ?? '')),
    async handler(job, signal, waiting) {
      const found = await findDispatch(job.payload.deliveryId ?? '');
      const dispatch = await restarted(storage, found, clock.now());
      if (dispatch?.delivery.status === 'held') {
        return done((tx) => hold(storage, tx, dispatch.delivery.id));
      }
      if (dispatch?.delivery.status !== 'pending') return done();
      const event = await findEvent(dispatch.delivery.eventId);
      if (!event) return done();
      const startedAt = clock.now();
      const message = toMessage(dispatch, event, startedAt, openSecret);
      const result = await dialer.request({ ...message, signal, onSent: waiting });
      // This process is shutting down, which says nothing about the endpoint.
      if (isInterrupted(result)) return retryAt(clock.now());
      const attempt = toAttempt(nextNumber(dispatch.delivery), startedAt, result);
      const labels = { result: isUnsent(result) ? NO_DNS_ANSWER : resultOf(attempt) };
      metrics.count(WEBHOOK_ATTEMPTS, labels);
      metrics.observe(WEBHOOK_ATTEMPT_DURATION, labels, attempt.durationMs / 1_000);
      const endedAt = clock.now();
      const outcome = isUnsent(result)
        ? afterUnsentAttempt(dispatch.delivery, attempt, endedAt, retry)
        : afterAttempt(dispatch.delivery, attempt, endedAt, retry, retryAfterOf(result, endedAt));
      const { url, headers } = message;
      const request = { url, headers, format: dispatch.format };
      return toJobOutcome(outcome, async (_tx, batch) =>
        batch.add(store, { outcome, attempt, endedAt, request }),
      );
    },
  });
}

/** An attempt that is not stored yet. */
interface EndedAttempt {
  readonly outcome: AttemptOutcome;
  readonly attempt: DeliveryAttempt;
  readonly endedAt: Date;
  readonly request: DeliveryRequest;
}

/** Reads of what attempts need; those of the jobs of one claim share a statement. */
function createLoaders({ database }: Runtime, storage: WebhookStorage) {
  const dispatches = new DataLoader<string, Dispatch | null>(
    async (ids) => {
      const found = await storage.findDispatches(ids);
      const byDelivery = new Map(found.map((each) => [each.delivery.id, each]));
      return ids.map((id) => byDelivery.get(id) ?? null);
    },
    { cache: false },
  );
  const events = new DataLoader<string, EventRecord | null>(
    async (ids) => {
      const found = await database.kernel(database.reader).findEvents(ids);
      const byEvent = new Map(found.map((event) => [event.id, event]));
      return ids.map((id) => byEvent.get(id) ?? null);
    },
    { cache: false },
  );
  return {
    findDispatch: (id: string) => dispatches.load(id),
    findEvent: (id: string) => events.load(id),
  };
}

/**
 * The data for an attempt. Its job was restored from the failed ones when the delivery has failed; the delivery is
 * restarted with it while the webhook is on.
 */
async function restarted(
  storage: WebhookStorage,
  dispatch: Dispatch | null,
  now: Date,
): Promise<Dispatch | null> {
  if (dispatch?.delivery.status !== 'failed') return dispatch;
  const { id, organizationId, webhookId } = dispatch.delivery;
  return storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    const webhook = await tx.findWebhook(organizationId, webhookId);
    if (webhook?.active) await tx.restartDelivery(id, now, null);
    const [after] = await tx.findDispatches([id]);
    return after ?? null;
  });
}

function toMessage(
  { delivery, url, format, secrets }: Dispatch,
  event: EventRecord,
  at: Date,
  openSecret: OpenSecret,
): DialRequest & Omit<DeliveryRequest, 'format'> {
  const body = toBody(event, format);
  const secret = openSecret(secrets.sealedSecret, delivery.webhookId);
  const former = secrets.former
    .filter(({ expiresAt }) => expiresAt > at)
    .map((each) => openSecret(each.sealedSecret, each.id));
  return {
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...(event.isTest ? TEST_HEADER : {}),
      ...signatureHeaders({ id: event.id, at, body }, secret, former),
    },
    body,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    // The status is the whole acknowledgement (contract, section 5).
    headSuffices: true,
    // A retry takes a fresh connection: a reused one may be why the attempt before has failed.
    connectionKey: delivery.attemptCount === 0 ? delivery.webhookId : undefined,
  };
}

function isInterrupted(result: DialResult): boolean {
  return result.kind === 'error' && (result.code === 'aborted' || result.code === 'closed');
}

/** No name server answered: a failure on this side, which says nothing about the endpoint. */
function isUnsent(result: DialResult): boolean {
  return result.kind === 'error' && result.code === 'dns_unavailable';
}

function toJobOutcome(
  { delivery, disablesWebhook }: AttemptOutcome,
  apply: ApplyOutcome,
): JobOutcome {
  const { nextAttemptAt } = delivery;
  if (nextAttemptAt) return retryAt(nextAttemptAt, apply, { isBatched: true });
  // Locks the webhook, for which others may hold locks, and the end of the audit log.
  return done(apply, { byTenant: disablesWebhook, isBatched: true });
}

/** The webhook was turned off since the job was stored. */
function hold(
  storage: WebhookStorage,
  { session }: KernelOperations,
  deliveryId: string,
): Promise<void> {
  return storage.transaction({ session }, (tx) => tx.holdDeliveries([deliveryId]));
}

/** Stores attempts with what follows from them, and counts those that say something about their endpoint. */
async function storeAttempts(
  runtime: Runtime,
  tx: WebhookTransaction,
  ended: readonly EndedAttempt[],
  retry: WebhookRetryProfile,
  options: NoticeOptions,
): Promise<void> {
  const records = ended.map(({ outcome: { delivery, isKept }, request }) => {
    return { delivery, request: isKept ? request : null };
  });
  const ids = new Set(await tx.recordAttempts(records));
  const stored = ended.filter(({ outcome }) => ids.has(outcome.delivery.id));
  const counted = stored.filter(({ outcome }) => outcome.isKept && !outcome.delivery.isTest);
  const counts = counted.map(({ outcome, attempt }) => countOf(outcome.delivery, attempt));
  if (counts.length > 0) await tx.addAttemptCounts(mergeCounts(counts));
  for (const { outcome, endedAt } of stored) {
    const { delivery, disablesWebhook } = outcome;
    if (isLastChance(delivery, retry)) await tx.ensureJob(warningJob(delivery, endedAt));
    if (disablesWebhook) await disable(runtime, tx, delivery, options);
  }
}

type NoticeOptions = Pick<WebhookDelivererOptions, 'notices' | 'apiPath'>;

/** Disables the webhook of a delivery, unless it was turned off since. */
async function disable(
  { clock, audit, ids, logger }: Runtime,
  tx: WebhookTransaction,
  delivery: Delivery,
  { notices, apiPath = '' }: NoticeOptions,
): Promise<void> {
  const { webhookId, organizationId, eventId, activation } = delivery;
  const reason = describeFailures(delivery);
  const now = clock.now();
  const disabled = await tx.disableWebhook(webhookId, activation, now, reason);
  if (!disabled) return;
  await tx.enqueueJobs([withdrawalJob(ids, organizationId, webhookId, now)]);
  const by = { organizationId, system: 'webhook-deliverer' };
  const change = { before: { active: true }, after: { active: false, reason } };
  await audit.record(tx, by, 'webhook.disabled', { type: 'webhook', id: webhookId }, change);
  await notices?.send(tx, disabledNotice(disabled, delivery, now, apiPath));
  tx.session.afterCommit(() => {
    const names = { organization_id: organizationId, webhook_id: webhookId, event_id: eventId };
    logger.warn('a webhook was disabled', { ...names, reason });
  });
}
