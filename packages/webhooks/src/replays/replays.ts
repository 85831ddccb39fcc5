import type { CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound, ProbityError, validationError } from '@probity/core';
import { validate } from '@probity/core/internal';
import { pageInput } from '../page-input.ts';
import type { WebhookStorage } from '../storage.ts';
import { requireWebhookOf } from '../webhooks/require-webhook.ts';
import type { WebhookReads } from '../webhooks/storage.ts';
import type { Webhook } from '../webhooks/types.ts';
import { recoveryInput, replayInput } from './input.ts';
import type { ReplayReads } from './storage.ts';
import type { Replay, ReplayKind, ReplayRequest } from './types.ts';
import { replayJob } from './worker.ts';

/** The replays of webhooks. */
export interface Replays {
  /**
   * Sends the events of a time again to an active webhook, whether or not they had a delivery; pending
   * deliveries stay as they are, tests are left out. It runs in the background.
   * @param types of those that the webhook lists; default: all of them
   * @throws ProbityError `not_found` when the organization has no such webhook; `conflict` while it is off
   *   or has a replay that is running; `validation_failed` for a time or an event type
   */
  start(
    context: CallContext,
    webhookId: string,
    request: ReplayRequest,
    types?: readonly string[],
  ): Promise<Replay>;
  /**
   * Sends the deliveries again that were made in a time and are failed or held.
   * @throws ProbityError as for `start`
   */
  recover(context: CallContext, webhookId: string, request: ReplayRequest): Promise<Replay>;
  /**
   * Newest first.
   * @throws ProbityError `not_found` when the organization has no such webhook
   */
  list(context: CallContext, webhookId: string, page: Page): Promise<PageOf<Replay>>;
  /** @throws ProbityError `not_found` when the organization has no such webhook, or it no such replay */
  get(context: CallContext, webhookId: string, replayId: string): Promise<Replay>;
  /**
   * Ends a replay. The deliveries that it has made pending, 4 with a due attempt at most, are still sent.
   * @throws ProbityError `not_found` as for `get`; `conflict` when it has ended
   */
  cancel(context: CallContext, webhookId: string, replayId: string): Promise<Replay>;
}

/** Dependencies of the service beside a runtime. */
export interface ReplayOptions {
  readonly storage: WebhookStorage;
}

/** Creates the service of replays. */
export function createReplays({ ids, clock, audit }: Runtime, { storage }: ReplayOptions): Replays {
  const requireWebhook = (context: CallContext, webhookId: string, reads: WebhookReads = storage) =>
    requireWebhookOf(context, webhookId, reads);

  const begin = (
    context: CallContext,
    webhookId: string,
    { since, until }: ReplayRequest,
    kind: ReplayKind,
    typesOf: (webhook: Webhook) => readonly string[] | null,
  ): Promise<Replay> => {
    const { organizationId } = context.principal;
    // Under the lock, so that the webhook is not turned off and no second replay begins meanwhile.
    return storage.withTenantLock(context, organizationId, async (tx) => {
      const webhook = await requireWebhook(context, webhookId, tx);
      const now = clock.now();
      const end = until && until < now ? until : now;
      if (since >= end) throw validationError({ field: 'since', message: TOO_LATE });
      if (!webhook.active) throw conflict('The webhook is off; turn it on first.');
      if (await tx.hasRunningReplay(webhookId)) {
        throw conflict('A replay of the webhook is running; cancel it, or wait for its end.');
      }
      const replay: Replay = {
        id: ids.next('rpl'),
        organizationId,
        webhookId,
        kind,
        status: 'running',
        activation: webhook.activation,
        since,
        until: end,
        types: typesOf(webhook),
        total: 0,
        isCounted: false,
        done: 0,
        cursor: null,
        createdAt: now,
        endedAt: null,
      };
      await tx.insertReplay(replay);
      await tx.enqueueJobs([replayJob(replay, now)]);
      const after = { replayId: replay.id, kind, since, until: end, types: replay.types };
      await audit.record(tx, context, 'webhook.replayed', targetOf(webhookId), { after });
      return replay;
    });
  };

  const requireReplay = async (
    context: CallContext,
    webhookId: string,
    replayId: string,
    reads: WebhookReads & ReplayReads = storage,
  ) => {
    await requireWebhook(context, webhookId, reads);
    const replay = await reads.findReplay(webhookId, replayId);
    if (!replay) throw notFound('replay');
    return replay;
  };

  return {
    async start(context, webhookId, given, givenTypes) {
      const { types, ...request } = validate(replayInput, { ...given, types: givenTypes });
      return begin(context, webhookId, request, 'all', ({ events }) => {
        requireListed(types ?? [], events);
        return [...new Set(types ?? events)];
      });
    },
    async recover(context, webhookId, given) {
      return begin(
        context,
        webhookId,
        validate(recoveryInput, given, 'request'),
        'failed',
        () => null,
      );
    },
    async list(context, webhookId, given) {
      const page = validate(pageInput, given, 'page');
      await requireWebhook(context, webhookId);
      return storage.listReplays(webhookId, page);
    },
    get: (context, webhookId, replayId) => requireReplay(context, webhookId, replayId),
    cancel(context, webhookId, replayId) {
      const { organizationId } = context.principal;
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const replay = await requireReplay(context, webhookId, replayId, tx);
        const canceled: Replay = { ...replay, status: 'canceled', endedAt: clock.now() };
        if (!(await tx.updateReplay(canceled))) throw conflict('The replay has ended already.');
        const after = { replayId, done: replay.done };
        await audit.record(tx, context, 'webhook.replay_canceled', targetOf(webhookId), { after });
        return canceled;
      });
    },
  };
}

/**
 * Who may replay need not be allowed to change what the webhook lists.
 * @throws ProbityError `validation_failed` that names every other type
 */
function requireListed(types: readonly string[], listed: readonly string[]): void {
  const message = `must be one of the webhook's event types, ${listed.join(', ')}`;
  const faults = types.flatMap((type, index) =>
    listed.includes(type) ? [] : [{ field: `types.${index}`, message }],
  );
  if (faults.length > 0) throw validationError(...faults);
}

const TOO_LATE = 'must be earlier than until, and in the past';

function conflict(message: string): ProbityError {
  return new ProbityError('conflict', message);
}

function targetOf(webhookId: string) {
  return { type: 'webhook', id: webhookId };
}
