import type {
  AuditFields,
  CallContext,
  Page,
  PageOf,
  Runtime,
  TargetCheckOptions,
} from '@probity/core';
import { checkOutboundTarget, notFound, ProbityError, validationError } from '@probity/core';
import {
  changedFields,
  createKeyedLimit,
  outboxGroups,
  requireSecretBox,
  validate,
} from '@probity/core/internal';
import { deliveryGroup } from '../deliveries/queue.ts';
import { SUBSCRIBER_NAME } from '../deliveries/subscriber.ts';
import { withdrawalJob } from '../deliveries/withdrawal.ts';
import type { EventCatalog } from '../events/catalog.ts';
import { checkCatalog, PROBITY_EVENTS } from '../events/catalog.ts';
import type { StoredEvents } from '../events/events.ts';
import { createStoredEvents } from '../events/events.ts';
import type { Publish } from '../events/publish.ts';
import { createPublish } from '../events/publish.ts';
import { pageInput } from '../page-input.ts';
import type { PortalTokens } from '../portal/tokens.ts';
import { createPortalTokens } from '../portal/tokens.ts';
import type { RotateSecret } from '../secrets/rotation.ts';
import { createRotateSecret } from '../secrets/rotation.ts';
import { mintWebhookSecret, secretPurpose } from '../secrets/secrets.ts';
import type { WebhookStorage, WebhookTransaction } from '../storage.ts';
import { createWebhookInputs } from './input.ts';
import { MAX_WEBHOOKS } from './limits.ts';
import type { WebhookReads } from './storage.ts';
import type { IssuedWebhook, NewWebhook, Webhook, WebhookChanges } from './types.ts';
import { webhookWarnings } from './warnings.ts';

/** URLs of one organization whose names are looked up at once; others wait for them. */
const CONCURRENT_LOOKUPS = 5;

/** The webhooks of an organization, and the events that are sent to them. */
export interface Webhooks extends PortalTokens, StoredEvents {
  /** The event types that webhooks may list. */
  readonly eventTypes: EventCatalog;
  /**
   * @throws ProbityError `validation_failed` naming `url` when calling it is not allowed, an event type
   *   that is not in the catalog, another wrong member or an unknown one; `conflict` when the organization already has
   *   {@link MAX_WEBHOOKS}
   */
  create(context: CallContext, input: NewWebhook): Promise<IssuedWebhook>;
  /** Oldest first; for a credential that is limited to certain webhooks, those. */
  list(context: CallContext, page: Page): Promise<PageOf<Webhook>>;
  /** @throws ProbityError `not_found` when the organization has no such webhook */
  get(context: CallContext, id: string): Promise<Webhook>;
  /**
   * Changes a webhook. Turning it off holds the deliveries pending then; turning it on again resets its
   * failures, while held deliveries stay held.
   * @throws ProbityError `not_found`, or `validation_failed` as for `create`
   */
  update(context: CallContext, id: string, changes: WebhookChanges): Promise<Webhook>;
  /**
   * Deletes a webhook and its deliveries; an attempt under way is the last. No read finds them from
   * then on; their rows are removed in the background.
   * @throws ProbityError `not_found`
   */
  remove(context: CallContext, id: string): Promise<void>;
  /**
   * Gives the webhook a new secret. The former one signs beside it for `overlapSeconds`, from 0 to
   * 604,800 and by default 86,400, and no earlier one signs longer.
   * @throws ProbityError `not_found`; `validation_failed` for another duration; `conflict` when ten secrets
   *   sign already
   */
  readonly rotateSecret: RotateSecret;
  /**
   * Publishes an event of the host to the webhooks that list its type, in a separate transaction
   * or in that of `scope`: `{ session: sessionOf(transaction) }` makes it part of the
   * host's own transaction.
   * @throws ProbityError `validation_failed` for a type that is not in the catalog, for data
   *   that the type's schema rejects or that is larger than a megabyte; `conflict` when the id
   *   belongs to another event; `not_found` when there is no such organization, `conflict` when it
   *   is removed meanwhile
   */
  readonly publish: Publish;
}

/** Dependencies of the service beside a runtime with a secret box. */
export interface WebhookOptions {
  readonly storage: WebhookStorage;
  /** Targets that may be called; the dialer of the deliverer should have the same. */
  readonly targets: TargetCheckOptions;
  /** The event types that webhooks may list; default {@link PROBITY_EVENTS}. */
  readonly eventTypes?: EventCatalog | undefined;
}

/**
 * Creates the webhook service.
 * @throws Error when the runtime has no secret box; RangeError when `eventTypes` has a wrong name
 */
export function createWebhooks(runtime: Runtime, options: WebhookOptions): Webhooks {
  const { audit, ids, clock, random, logger } = runtime;
  const { storage, targets } = options;
  const secretBox = requireSecretBox(runtime, 'webhooks');
  const eventTypes = checkCatalog(options.eventTypes ?? PROBITY_EVENTS);
  const inputs = createWebhookInputs(eventTypes);
  const limitLookups = createKeyedLimit(CONCURRENT_LOOKUPS);

  const checkUrl = async ({ principal }: CallContext, url: string) => {
    const check = await limitLookups(principal.organizationId, () =>
      checkOutboundTarget(url, targets),
    );
    if (!check.ok) throw validationError({ field: 'url', message: check.reason });
  };

  /** Ends the deliveries in the background: there may be many. */
  const withdraw = (tx: WebhookTransaction, organizationId: string, id: string) =>
    tx.enqueueJobs([withdrawalJob(ids, organizationId, id, clock.now())]);

  const logWarnings = (tx: WebhookTransaction, webhook: Webhook) =>
    tx.session.afterCommit(() => {
      const names = { organization_id: webhook.organizationId, webhook_id: webhook.id };
      for (const warning of webhookWarnings(webhook)) {
        logger.warn('a webhook has a warning', { ...names, warning });
      }
    });

  return {
    eventTypes,
    publish: createPublish(runtime, storage, eventTypes),
    rotateSecret: createRotateSecret(runtime, storage),
    ...createPortalTokens(runtime, storage),
    ...createStoredEvents(runtime),
    async list({ principal: { organizationId, grant } }, page) {
      const { limit, offset } = validate(pageInput, page, 'page');
      const ids = grant?.resourceIds;
      if (!ids) return storage.listWebhooks(organizationId, { limit, offset });
      const all = await storage.listWebhooks(organizationId, { limit: MAX_WEBHOOKS, offset: 0 });
      const items = all.items.filter(({ id }) => ids.includes(id));
      return { items: items.slice(offset, offset + limit), total: items.length };
    },
    async get({ principal }, id) {
      return requireWebhook(await storage.findWebhook(principal.organizationId, id));
    },

    async create(context, input) {
      const checked = validate(inputs.newWebhook, input, 'input');
      const { url, events, format = 'standard' } = checked;
      const { active = true, rateLimit = null, ordered = false } = checked;
      const { organizationId } = context.principal;
      // Also before the name is looked up, which costs more; the check under the lock decides. Within a
      // transaction of the host's, its only connection is not free for a read of ours.
      if (!context.unit) await requireRoom(storage, organizationId);
      await checkUrl(context, url);
      const webhook: Webhook = {
        id: ids.next('whk'),
        organizationId,
        url,
        events: unique(events),
        format,
        active,
        activation: 0,
        rateLimit,
        ordered,
        createdAt: clock.now(),
        disabledAt: null,
        disabledReason: null,
      };
      const secret = mintWebhookSecret(random);
      const sealedSecret = secretBox.seal(secret, secretPurpose(webhook.id));
      await runtime.tenants?.ensure(organizationId, context);
      await storage.withTenantLock(context, organizationId, async (tx) => {
        await requireRoom(tx, organizationId);
        await tx.insertWebhook(webhook, sealedSecret);
        if (rateLimit !== null || ordered) await applyRule(tx, webhook);
        if (ordered) await orderEvents(tx, organizationId);
        const after = { ...auditFieldsOf(webhook), secret };
        await audit.record(tx, context, 'webhook.created', targetOf(webhook.id), { after });
        logWarnings(tx, webhook);
      });
      return { webhook, secret };
    },

    async update(context, id, input) {
      const changes = validate(inputs.webhookChanges, input, 'changes');
      if (changes.url !== undefined) await checkUrl(context, changes.url);
      const { organizationId } = context.principal;
      const events = changes.events && unique(changes.events);
      // Under the lock, so that the webhook does not change between the read and the update.
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const before = requireWebhook(await tx.findWebhook(organizationId, id));
        const updated = await tx.updateWebhook(organizationId, id, { ...changes, events });
        const after = requireWebhook(updated);
        if (before.active && !after.active) await withdraw(tx, organizationId, id);
        const isReordered = before.ordered !== after.ordered;
        if (isReordered || before.rateLimit !== after.rateLimit) await applyRule(tx, after);
        if (isReordered) await orderEvents(tx, organizationId);
        if (before.url !== after.url || before.format !== after.format) logWarnings(tx, after);
        const change = changedFields(auditFieldsOf(before), auditFieldsOf(after));
        if (Object.keys(change.after).length > 0) {
          await audit.record(tx, context, 'webhook.updated', targetOf(id), change);
        }
        return after;
      });
    },

    async remove(context, id) {
      const { organizationId } = context.principal;
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const webhook = requireWebhook(await tx.findWebhook(organizationId, id));
        await tx.deleteWebhook(organizationId, id);
        if (webhook.ordered) await orderEvents(tx, organizationId);
        await withdraw(tx, organizationId, id);
        const before = auditFieldsOf(webhook);
        await audit.record(tx, context, 'webhook.deleted', targetOf(id), { before });
      });
    },
  };
}

/** The fields of a webhook in the audit log. */
function auditFieldsOf(webhook: Webhook): AuditFields {
  const { url, events, format, active, rateLimit, ordered } = webhook;
  return { url, events, format, active, rateLimit, ordered };
}

/** Sets how workers claim the deliveries of the webhook. */
function applyRule(tx: WebhookTransaction, webhook: Webhook): Promise<void> {
  const rule = { startsPerSecond: webhook.rateLimit, isOrdered: webhook.ordered };
  return tx.setJobGroup(deliveryGroup(webhook), rule);
}

/**
 * Has the events of the organization become deliveries in their order while one of its webhooks is ordered; else
 * in any order, which is faster.
 */
async function orderEvents(tx: WebhookTransaction, organizationId: string): Promise<void> {
  const { items } = await tx.listWebhooks(organizationId, { limit: MAX_WEBHOOKS, offset: 0 });
  const rule = { startsPerSecond: null, isOrdered: items.some(({ ordered }) => ordered) };
  for (const group of outboxGroups(SUBSCRIBER_NAME, organizationId)) {
    await tx.setJobGroup(group, rule);
  }
}

function targetOf(id: string) {
  return { type: 'webhook', id };
}

async function requireRoom(reads: WebhookReads, organizationId: string): Promise<void> {
  if ((await reads.countWebhooks(organizationId)) < MAX_WEBHOOKS) return;
  throw new ProbityError(
    'conflict',
    `The organization already has the maximum of ${MAX_WEBHOOKS} webhooks; delete one first.`,
  );
}

function requireWebhook(webhook: Webhook | null): Webhook {
  if (!webhook) throw notFound('webhook');
  return webhook;
}

function unique(events: readonly string[]): string[] {
  return [...new Set(events)];
}
