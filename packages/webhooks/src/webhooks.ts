import {
  type AuditFields,
  type CallContext,
  type Clock,
  checkOutboundTarget,
  type EventType,
  type Ids,
  type KernelOperations,
  notFound,
  type Page,
  type PageOf,
  ProbityError,
  type Random,
  type SecretBox,
  type TargetCheckOptions,
  validationError,
} from '@probity/core';
import { type AuditedChange, auditOf, changedFields } from '@probity/core/internal';
import { DELIVERY_QUEUE, withdrawDeliveries } from './delivery-queue.ts';
import { mintWebhookSecret, secretPurpose } from './signing.ts';
import type {
  DeliveryFilter,
  WebhookChanges,
  WebhookReads,
  WebhookStorage,
  WebhookWrites,
} from './storage.ts';
import type { Delivery, Webhook } from './types.ts';

/** How many webhooks an organization may have (specification, "Limits"). */
export const MAX_WEBHOOKS = 100;

/** What a new webhook is to be. */
export interface NewWebhook {
  readonly url: string;
  readonly events: readonly EventType[];
  /** Default true. */
  readonly active?: boolean | undefined;
}

/** A webhook and its secret, which is shown at this moment only. */
export interface IssuedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** The webhooks of an organization. */
export interface Webhooks {
  /**
   * @throws ProbityError `validation_failed` naming `url` when it must not be called, `conflict`
   *   when the organization has {@link MAX_WEBHOOKS} already
   */
  create(context: CallContext, input: NewWebhook): Promise<IssuedWebhook>;
  list(context: CallContext, page: Page): Promise<PageOf<Webhook>>;
  /** @throws ProbityError `not_found` when the organization has no such webhook */
  get(context: CallContext, id: string): Promise<Webhook>;
  /**
   * Changes a webhook. Turning it off holds its pending deliveries; turning it on makes it as good
   * as new, while what is held stays held.
   * @throws ProbityError `not_found`, or `validation_failed` naming `url`
   */
  update(context: CallContext, id: string, changes: WebhookChanges): Promise<Webhook>;
  /**
   * Removes a webhook with its deliveries; an attempt under way is the last.
   * @throws ProbityError `not_found`
   */
  remove(context: CallContext, id: string): Promise<void>;
  /**
   * The webhook's deliveries, newest first.
   * @throws ProbityError `not_found`
   */
  listDeliveries(
    context: CallContext,
    id: string,
    filter: DeliveryFilter,
    page: Page,
  ): Promise<PageOf<Delivery>>;
}

/** What the service needs. */
export interface WebhookDependencies {
  readonly storage: WebhookStorage;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
  readonly secretBox: SecretBox;
  /** Which targets may be called; the dialer of the deliverer should have the same. */
  readonly targets: TargetCheckOptions;
}

/** Creates the service over webhooks. */
export function createWebhooks(dependencies: WebhookDependencies): Webhooks {
  const { storage, targets, ids, clock } = dependencies;
  const change = (action: string, id: string): AuditedChange => ({
    id: ids.next('aud'),
    action: `webhook.${action}`,
    target: { type: 'webhook', id },
    createdAt: clock.now(),
  });

  async function get({ principal }: CallContext, id: string): Promise<Webhook> {
    return found(await storage.findWebhook(principal.organizationId, id));
  }

  return {
    get,
    list: ({ principal }, page) => storage.listWebhooks(principal.organizationId, page),
    async create(context, input) {
      await checkUrl(input.url, targets);
      const { organizationId } = context.principal;
      const { webhook, secret, sealedSecret } = issue(organizationId, input, dependencies);
      const insert = async (tx: WebhookTransaction) => {
        await requireRoom(tx, organizationId);
        await tx.insertWebhook(webhook, sealedSecret);
        const created = {
          ...change('created', webhook.id),
          after: { ...factsOf(webhook), secret },
        };
        await tx.recordAudit(auditOf(context, created));
      };
      await storage.withTenantLock(context, organizationId, insert);
      return { webhook, secret };
    },

    async update(context, id, changes) {
      const { organizationId } = context.principal;
      if (changes.url !== undefined) await checkUrl(changes.url, targets);
      const events = changes.events && unique(changes.events);
      const update = async (tx: WebhookTransaction) => {
        const before = found(await tx.findWebhook(organizationId, id));
        const after = found(await tx.updateWebhook(organizationId, id, { ...changes, events }));
        if (changes.active === false) await withdrawDeliveries(tx, id);
        const difference = changedFields(factsOf(before), factsOf(after));
        if (Object.keys(difference.after).length > 0) {
          await tx.recordAudit(auditOf(context, { ...change('updated', id), ...difference }));
        }
        return after;
      };
      // Under the lock, so that the webhook found is the one that is changed.
      return storage.withTenantLock(context, organizationId, update);
    },

    async remove(context, id) {
      const { organizationId } = context.principal;
      const remove = async (tx: WebhookTransaction) => {
        const webhook = found(await tx.findWebhook(organizationId, id));
        if (!(await tx.deleteWebhook(organizationId, id))) throw notFound('webhook');
        await tx.dropGroup(DELIVERY_QUEUE, id);
        const deleted = { ...change('deleted', id), before: factsOf(webhook) };
        await tx.recordAudit(auditOf(context, deleted));
      };
      await storage.withTenantLock(context, organizationId, remove);
    },

    async listDeliveries(context, id, filter, page) {
      await get(context, id);
      return storage.listDeliveries(id, filter, page);
    },
  };
}

type WebhookTransaction = WebhookReads & WebhookWrites & KernelOperations;

/** What the audit log says of a webhook. */
function factsOf({ url, events, active }: Webhook): AuditFields {
  return { url, events, active };
}

/** A webhook with a fresh secret, not stored yet. */
function issue(
  organizationId: string,
  { url, events, active = true }: NewWebhook,
  { ids, clock, random, secretBox }: WebhookDependencies,
): IssuedWebhook & { sealedSecret: string } {
  const secret = mintWebhookSecret(random);
  const webhook: Webhook = {
    id: ids.next('whk'),
    organizationId,
    url,
    events: unique(events),
    active,
    createdAt: clock.now(),
    disabledAt: null,
    disabledReason: null,
  };
  const sealedSecret = secretBox.seal(secret, secretPurpose(webhook.id));
  return { webhook, secret, sealedSecret };
}

async function requireRoom(tx: WebhookTransaction, organizationId: string): Promise<void> {
  if ((await tx.countWebhooks(organizationId)) < MAX_WEBHOOKS) return;
  throw new ProbityError(
    'conflict',
    `The organization has ${MAX_WEBHOOKS} webhooks, the most there may be; delete one first.`,
  );
}

async function checkUrl(url: string, targets: TargetCheckOptions): Promise<void> {
  const check = await checkOutboundTarget(url, targets);
  if (!check.ok) throw validationError({ field: 'url', message: check.reason });
}

function found(webhook: Webhook | null): Webhook {
  if (!webhook) throw notFound('webhook');
  return webhook;
}

function unique(events: readonly EventType[]): EventType[] {
  return [...new Set(events)];
}
