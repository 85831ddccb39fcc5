import {
  type CallContext,
  type Clock,
  checkOutboundTarget,
  type EventType,
  type Ids,
  notFound,
  type Page,
  type PageOf,
  ProbityError,
  type Random,
  type SecretBox,
  type TargetCheckOptions,
  validationError,
} from '@probity/core';
import { DELIVERY_QUEUE, withdrawDeliveries } from './delivery-queue.ts';
import { mintWebhookSecret, secretPurpose } from './signing.ts';
import type { DeliveryFilter, WebhookChanges, WebhookStorage } from './storage.ts';
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
  const { storage, targets } = dependencies;

  async function get({ principal }: CallContext, id: string): Promise<Webhook> {
    return found(await storage.findWebhook(principal.organizationId, id));
  }

  return {
    get,
    list: ({ principal }, page) => storage.listWebhooks(principal.organizationId, page),
    create: (context, input) => create(context, input, dependencies),

    async update(context, id, changes) {
      const { organizationId } = context.principal;
      if (changes.url !== undefined) await checkUrl(changes.url, targets);
      const events = changes.events && unique(changes.events);
      return storage.transaction(async (tx) => {
        const webhook = found(await tx.updateWebhook(organizationId, id, { ...changes, events }));
        if (changes.active === false) await withdrawDeliveries(tx, id);
        return webhook;
      }, context);
    },

    async remove(context, id) {
      await storage.transaction(async (tx) => {
        const removed = await tx.deleteWebhook(context.principal.organizationId, id);
        if (!removed) throw notFound('webhook');
        await tx.dropLane(DELIVERY_QUEUE, id);
      }, context);
    },

    async listDeliveries(context, id, filter, page) {
      await get(context, id);
      return storage.listDeliveries(id, filter, page);
    },
  };
}

async function create(
  context: CallContext,
  { url, events, active = true }: NewWebhook,
  { storage, ids, clock, random, secretBox, targets }: WebhookDependencies,
): Promise<IssuedWebhook> {
  await checkUrl(url, targets);
  const { organizationId } = context.principal;
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
  const sealed = secretBox.seal(secret, secretPurpose(webhook.id));
  await storage.withOrganizationLock(
    organizationId,
    async (tx) => {
      if ((await tx.countWebhooks(organizationId)) >= MAX_WEBHOOKS) {
        throw new ProbityError(
          'conflict',
          `The organization has ${MAX_WEBHOOKS} webhooks, the most there may be; delete one first.`,
        );
      }
      await tx.insertWebhook(webhook, sealed);
    },
    context,
  );
  return { webhook, secret };
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
