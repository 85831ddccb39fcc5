import {
  bindStorage,
  type Database,
  type MemorySession,
  type Page,
  type PageOf,
} from '@probity/core';
import { listSealed } from '@probity/core/internal';
import type { WebhookReads, WebhookStorage, WebhookWrites } from './storage.ts';
import type { Delivery, Webhook } from './types.ts';

interface StoredWebhook extends Webhook {
  readonly sealedSecret: string;
}

/** The storage of webhooks in memory. */
export function createMemoryWebhookStorage(database: Database<MemorySession>): WebhookStorage {
  return bindStorage<MemorySession, WebhookReads, WebhookWrites>(database, (session) => ({
    ...createReads(session),
    ...createWebhookWrites(session),
    ...createDeliveryWrites(session),
  }));
}

function tablesOf(session: MemorySession) {
  return {
    webhooks: () => session.table<StoredWebhook>('webhooks'),
    deliveries: () => session.table<Delivery>('webhook_deliveries'),
  };
}

function createReads(session: MemorySession): WebhookReads {
  const { webhooks, deliveries } = tablesOf(session);
  const ofOrganization = (organizationId: string) =>
    webhooks().filter((row) => row.organizationId === organizationId);
  return {
    async listWebhooks(organizationId, page) {
      return pageOf(ofOrganization(organizationId).sort(byCreation).map(toWebhook), page);
    },
    async findWebhook(organizationId, id) {
      const row = webhooks().get(id);
      return row?.organizationId === organizationId ? toWebhook(row) : null;
    },
    async countWebhooks(organizationId) {
      return ofOrganization(organizationId).length;
    },
    async listSealedSecrets(exceptKeyId, after, limit) {
      const values = webhooks().filter(() => true);
      const sealed = values.map(({ id, sealedSecret }) => ({ id, sealed: sealedSecret }));
      return listSealed(sealed, exceptKeyId, after, limit);
    },
    async listDeliveries(webhookId, { status, eventType }, page) {
      const matching = deliveries().filter(
        (row) =>
          row.webhookId === webhookId &&
          (status === undefined || row.status === status) &&
          (eventType === undefined || row.eventType === eventType),
      );
      return pageOf(matching.sort(byCreation).reverse(), page);
    },
    async findDispatch(deliveryId) {
      const delivery = deliveries().get(deliveryId);
      const webhook = delivery && webhooks().get(delivery.webhookId);
      return webhook ? { delivery, url: webhook.url, sealedSecret: webhook.sealedSecret } : null;
    },
  };
}

type WebhookPart =
  | 'insertWebhook'
  | 'updateWebhook'
  | 'disableWebhook'
  | 'deleteWebhook'
  | 'replaceSealedSecret';

function createWebhookWrites(session: MemorySession): Pick<WebhookWrites, WebhookPart> {
  const { webhooks, deliveries } = tablesOf(session);
  return {
    async insertWebhook(webhook, sealedSecret) {
      webhooks().put(webhook.id, { ...webhook, sealedSecret });
    },
    async replaceSealedSecret({ id, from, to }) {
      const row = webhooks().get(id);
      if (row?.sealedSecret === from) webhooks().put(id, { ...row, sealedSecret: to });
    },
    async updateWebhook(organizationId, id, { url, events, active }) {
      const row = webhooks().get(id);
      if (row?.organizationId !== organizationId) return null;
      const changed: StoredWebhook = {
        ...row,
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events }),
        ...(active === undefined ? {} : { active }),
        ...(active ? { disabledAt: null, disabledReason: null } : {}),
      };
      webhooks().put(id, changed);
      return toWebhook(changed);
    },
    async disableWebhook(id, at, reason) {
      const row = webhooks().get(id);
      if (!row?.active) return false;
      webhooks().put(id, { ...row, active: false, disabledAt: at, disabledReason: reason });
      return true;
    },
    async deleteWebhook(organizationId, id) {
      if (webhooks().get(id)?.organizationId !== organizationId) return false;
      const orphans = deliveries().filter((row) => row.webhookId === id);
      for (const { id: deliveryId } of orphans) deliveries().delete(deliveryId);
      return webhooks().delete(id);
    },
  };
}

function createDeliveryWrites(session: MemorySession): Omit<WebhookWrites, WebhookPart> {
  const { webhooks, deliveries } = tablesOf(session);
  return {
    async lockSubscribers(organizationId, type) {
      const subscribed = webhooks().filter(
        (row) => row.organizationId === organizationId && row.active && row.events.includes(type),
      );
      return subscribed.map(toWebhook).sort((left, right) => (left.id < right.id ? -1 : 1));
    },
    async insertDeliveries(added) {
      const inserted: Delivery[] = [];
      for (const delivery of added) {
        const { webhookId, eventId } = delivery;
        const isSame = (row: Delivery) => row.webhookId === webhookId && row.eventId === eventId;
        if (deliveries().filter(isSame).length > 0) continue;
        deliveries().put(delivery.id, delivery);
        inserted.push(delivery);
      }
      return inserted;
    },
    async recordAttempt(delivery) {
      const row = deliveries().get(delivery.id);
      if (row?.status !== 'pending' && row?.status !== 'held') return false;
      const staysHeld = row.status === 'held' && delivery.status !== 'delivered';
      const held = { ...delivery, status: 'held', nextAttemptAt: null } as const;
      deliveries().put(delivery.id, staysHeld ? held : delivery);
      return true;
    },
    async holdDeliveries(webhookId) {
      const pending = deliveries().filter(
        (row) => row.webhookId === webhookId && row.status === 'pending',
      );
      for (const row of pending) {
        deliveries().put(row.id, { ...row, status: 'held', nextAttemptAt: null });
      }
      return pending.length;
    },
  };
}

function toWebhook({ sealedSecret: _, ...webhook }: StoredWebhook): Webhook {
  return webhook;
}

function pageOf<Item>(items: readonly Item[], { limit, offset }: Page): PageOf<Item> {
  return { items: items.slice(offset, offset + limit), total: items.length };
}

type Created = { readonly id: string; readonly createdAt: Date };

function byCreation(left: Created, right: Created): number {
  return left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1);
}
