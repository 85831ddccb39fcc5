import {
  type Clock,
  createWorker,
  type Database,
  type Dialer,
  type DialResult,
  done,
  type EventRecord,
  type Ids,
  JOB_RETRY,
  type JobOutcome,
  type KernelOperations,
  type Logger,
  retryAt,
  type SecretBox,
  type Worker,
} from '@probity/core';
import { systemAuditOf } from '@probity/core/internal';
import { type AttemptOutcome, afterAttempt, toAttempt } from './attempt.ts';
import { DELIVERY_QUEUE, withdrawDeliveries } from './delivery-queue.ts';
import { toEnvelope } from './envelope.ts';
import { checkWebhookRetryProfile, RETRY_PROFILES, type WebhookRetryProfile } from './retry.ts';
import { secretPurpose, signatureHeaders } from './signing.ts';
import type { WebhookStorage } from './storage.ts';
import type { DeliveryAttempt, Dispatch } from './types.ts';

/** What the deliverer needs. */
export interface WebhookDelivererOptions {
  readonly storage: WebhookStorage;
  /** The database that `storage` is bound to. */
  readonly database: Database;
  readonly dialer: Dialer;
  /** Opens what `createWebhooks` has sealed. */
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ids: Ids;
  /** Default: {@link RETRY_PROFILES}.standard. */
  readonly retry?: WebhookRetryProfile;
}

/** The one limit on an attempt, from DNS to the last byte (specification, "Limits"). */
const ATTEMPT_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 4_096;
const USER_AGENT = 'Probity-Webhooks/1';

/**
 * Creates the worker that delivers: it signs, sends and stores each attempt, tries again by the
 * retry rule, and turns off webhooks that keep failing. Any number of workers may share a
 * database. Delivery is at least once: an attempt whose result could not be stored is repeated.
 *
 * @throws RangeError that names the first bad setting of `retry`
 */
export function createWebhookDeliverer(options: WebhookDelivererOptions): Worker {
  const { database, storage, clock, logger, ids } = options;
  const retry = checkWebhookRetryProfile(options.retry ?? RETRY_PROFILES.standard);
  return createWorker({
    database,
    queue: DELIVERY_QUEUE,
    clock,
    logger,
    newLeaseToken: () => ids.next('job'),
    // For what is no answer of the endpoint, such as a key that is missing, beside the attempts.
    retry: { ...JOB_RETRY, maxAttempts: retry.maxAttempts + JOB_RETRY.maxAttempts },
    async handler(job, signal) {
      const dispatch = await storage.findDispatch(job.payload.deliveryId ?? '');
      if (dispatch?.delivery.status !== 'pending') return done();
      const event = await database.kernel(database.reader).findEvent(dispatch.delivery.eventId);
      if (!event) return done();
      const startedAt = clock.now();
      const result = await send(dispatch, event, startedAt, options, signal);
      // This process is shutting down, which says nothing about the endpoint.
      if (isInterrupted(result)) return retryAt(clock.now());
      const attempt = toAttempt(dispatch.delivery.attempts.length + 1, startedAt, result);
      return toJobOutcome(afterAttempt(dispatch.delivery, attempt, clock.now(), retry), options);
    },
  });
}

function send(
  { delivery, url, sealedSecret }: Dispatch,
  event: EventRecord,
  at: Date,
  { dialer, secretBox }: WebhookDelivererOptions,
  signal: AbortSignal,
): Promise<DialResult> {
  const body = toEnvelope(event);
  const secret = secretBox.open(sealedSecret, secretPurpose(delivery.webhookId));
  return dialer.request({
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
    signal,
  });
}

function isInterrupted(result: DialResult): boolean {
  return result.kind === 'error' && (result.code === 'aborted' || result.code === 'closed');
}

function toJobOutcome(outcome: AttemptOutcome, options: WebhookDelivererOptions): JobOutcome {
  const { nextAttemptAt } = outcome.delivery;
  const apply = (tx: KernelOperations) => store(tx, outcome, options);
  return nextAttemptAt ? retryAt(nextAttemptAt, apply) : done(apply);
}

function store(
  { session }: KernelOperations,
  { delivery, disablesWebhook }: AttemptOutcome,
  { storage, clock, logger, ids }: WebhookDelivererOptions,
): Promise<void> {
  return storage.transaction({ session }, async (tx) => {
    await tx.recordAttempt(delivery);
    if (!disablesWebhook) return;
    const { webhookId, organizationId, eventId, attemptCount } = delivery;
    const now = clock.now();
    const reason = `${attemptCount} attempts to deliver ${eventId} failed; the last: ${describe(delivery.attempts.at(-1))}.`;
    if (!(await tx.disableWebhook(webhookId, now, reason))) return;
    await withdrawDeliveries(tx, webhookId);
    const disabled = {
      id: ids.next('aud'),
      action: 'webhook.disabled',
      target: { type: 'webhook', id: webhookId },
      before: { active: true },
      after: { active: false, reason },
      createdAt: now,
    };
    await tx.recordAudit(systemAuditOf('webhook-deliverer', organizationId, disabled));
    tx.session.afterCommit(() => {
      logger.warn('a webhook was disabled', { webhook_id: webhookId, event_id: eventId, reason });
    });
  });
}

function describe(attempt: DeliveryAttempt | undefined): string {
  return attempt?.error ?? `the endpoint answered ${attempt?.responseStatus}`;
}
