import type {
  Dialer,
  DialRequest,
  DialResult,
  EventRecord,
  JobOutcome,
  KernelOperations,
  OwnerNotices,
  Runtime,
  SecretBox,
  Worker,
} from '@probity/core';
import { createWorker, done, JOB_RETRY, retryAt } from '@probity/core';
import { requireSecretBox } from '@probity/core/internal';
import type { WebhookStorage } from '../storage.ts';
import { secretPurpose } from '../webhooks/secrets.ts';
import type { AttemptOutcome } from './attempt.ts';
import { afterAttempt, afterUnsentAttempt, toAttempt } from './attempt.ts';
import { toEnvelope } from './envelope.ts';
import { NO_DNS_ANSWER, resultOf, WEBHOOK_ATTEMPT_DURATION, WEBHOOK_ATTEMPTS } from './metrics.ts';
import { describeFailures, disabledNotice } from './owner-notices.ts';
import { DELIVERY_QUEUE } from './queue.ts';
import type { WebhookRetryProfile } from './retry.ts';
import { checkWebhookRetryProfile, RETRY_PROFILES } from './retry.ts';
import { signatureHeaders } from './signing.ts';
import type { Dispatch } from './types.ts';
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
}

/** The only time limit of an attempt, from DNS to the last byte (specification, "Limits"). */
const ATTEMPT_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 4_096;
/** A TLS handshake takes 1 to 3 ms of the processor, so that a delivery waits for at most 20 ms. */
const START_CONCURRENCY = 8;
const USER_AGENT = 'Probity-Webhooks/1';

/**
 * Creates the delivery worker: it signs, sends and stores each attempt, retries by the retry
 * profile, and disables webhooks that keep failing. Any number of workers may share a
 * database. Delivery is at least once: an attempt whose result could not be stored is repeated.
 *
 * @throws RangeError that names the first bad setting of `retry`
 */
export function createWebhookDeliverer(runtime: Runtime, options: WebhookDelivererOptions): Worker {
  const { database, clock, logger, ids, metrics } = runtime;
  const { storage, dialer, notices } = options;
  const retry = checkWebhookRetryProfile(options.retry ?? RETRY_PROFILES.standard);
  const secretBox = requireSecretBox(runtime, 'webhooks');
  return createWorker({
    database,
    queue: DELIVERY_QUEUE,
    clock,
    logger,
    ids,
    // For failures that are not the endpoint's, such as a missing key; the endpoint's are answered by `retryAt`.
    retry: JOB_RETRY,
    startConcurrency: START_CONCURRENCY,
    async handler(job, signal, waiting) {
      const dispatch = await storage.findDispatch(job.payload.deliveryId ?? '');
      if (dispatch?.delivery.status === 'held') {
        return done((tx) => hold(storage, tx, dispatch.delivery.id));
      }
      if (dispatch?.delivery.status !== 'pending') return done();
      const event = await database.kernel(database.reader).findEvent(dispatch.delivery.eventId);
      if (!event) return done();
      const startedAt = clock.now();
      const message = toMessage(dispatch, event, startedAt, secretBox);
      const result = await dialer.request({ ...message, signal, onSent: waiting });
      // This process is shutting down, which says nothing about the endpoint.
      if (isInterrupted(result)) return retryAt(clock.now());
      const attempt = toAttempt(dispatch.delivery.attempts.length + 1, startedAt, result);
      const labels = { result: isUnsent(result) ? NO_DNS_ANSWER : resultOf(attempt) };
      metrics.count(WEBHOOK_ATTEMPTS, labels);
      metrics.observe(WEBHOOK_ATTEMPT_DURATION, labels, attempt.durationMs / 1_000);
      const after = isUnsent(result) ? afterUnsentAttempt : afterAttempt;
      const outcome = after(dispatch.delivery, attempt, clock.now(), retry);
      const isWarning = isLastChance(outcome.delivery, retry);
      return toJobOutcome(outcome, async (tx) => {
        await storeOutcome(runtime, storage, tx, outcome, notices);
        if (isWarning) await tx.ensureJob(warningJob(outcome.delivery, clock.now()));
      });
    },
  });
}

function toMessage(
  { delivery, url, sealedSecret }: Dispatch,
  event: EventRecord,
  at: Date,
  secretBox: SecretBox,
): DialRequest {
  const body = toEnvelope(event);
  const secret = secretBox.open(sealedSecret, secretPurpose(delivery.webhookId));
  return {
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signatureHeaders({ id: event.id, at, body }, secret),
    },
    body,
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
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
  apply: (tx: KernelOperations) => Promise<void>,
): JobOutcome {
  const { nextAttemptAt } = delivery;
  if (nextAttemptAt) return retryAt(nextAttemptAt, apply);
  // Locks the webhook, for which others may hold locks, and the end of the audit log.
  return done(apply, { byTenant: disablesWebhook });
}

/** The webhook was turned off since the job was stored. */
function hold(
  storage: WebhookStorage,
  { session }: KernelOperations,
  deliveryId: string,
): Promise<void> {
  return storage.transaction({ session }, (tx) => tx.holdDeliveries([deliveryId]));
}

function storeOutcome(
  { clock, audit, ids, logger }: Runtime,
  storage: WebhookStorage,
  { session }: KernelOperations,
  { delivery, disablesWebhook }: AttemptOutcome,
  notices: OwnerNotices | undefined,
): Promise<void> {
  return storage.transaction({ session }, async (tx) => {
    await tx.recordAttempt(delivery);
    if (!disablesWebhook) return;
    const { webhookId, organizationId, eventId } = delivery;
    const reason = describeFailures(delivery);
    const now = clock.now();
    const disabled = await tx.disableWebhook(webhookId, now, reason);
    if (!disabled) return;
    await tx.enqueueJobs([withdrawalJob(ids, organizationId, webhookId, now)]);
    const by = { organizationId, system: 'webhook-deliverer' };
    const change = { before: { active: true }, after: { active: false, reason } };
    await audit.record(tx, by, 'webhook.disabled', { type: 'webhook', id: webhookId }, change);
    await notices?.send(tx, disabledNotice(disabled, reason, now));
    tx.session.afterCommit(() => {
      logger.warn('a webhook was disabled', { webhook_id: webhookId, event_id: eventId, reason });
    });
  });
}
