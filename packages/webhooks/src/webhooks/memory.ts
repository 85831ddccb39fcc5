import type { MemorySession } from '@probity/core';
import { byCreation, byId, owned, pageOf } from '@probity/core/internal';
import { DELIVERIES } from '../deliveries/memory-tables.ts';
import { REPLAYS } from '../replays/memory-tables.ts';
import { FORMER_SECRETS } from '../secrets/memory-tables.ts';
import { ATTEMPT_COUNTS } from '../stats/memory-tables.ts';
import type { StoredWebhook } from './memory-tables.ts';
import { WEBHOOKS } from './memory-tables.ts';
import type { WebhookReads, WebhookWrites } from './storage.ts';
import { toSubscriberPage } from './subscriber-page.ts';
import type { Webhook } from './types.ts';

/** Reads and writes webhooks in memory. */
export function createWebhookOperations(session: MemorySession): WebhookReads & WebhookWrites {
  const webhooks = () => session.table(WEBHOOKS);
  const deliveries = () => session.table(DELIVERIES);
  const listOf = (organizationId: string) =>
    webhooks()
      .filter((row) => row.organizationId === organizationId && !row.isDeleted)
      .map(toWebhook);
  const find = (organizationId: string, id: string) => {
    const row = owned(webhooks(), organizationId, id);
    return row?.isDeleted ? null : row;
  };
  return {
    async listWebhooks(organizationId, page) {
      return pageOf(listOf(organizationId), page, byCreation);
    },
    async findWebhook(organizationId, id) {
      const row = find(organizationId, id);
      return row && toWebhook(row);
    },
    async countWebhooks(organizationId) {
      return listOf(organizationId).length;
    },
    async insertWebhook(webhook, sealedSecret) {
      webhooks().put(webhook.id, {
        ...webhook,
        sealedSecret,
        isDeleted: false,
        warnedActivation: -1,
      });
    },
    async updateWebhook(organizationId, id, changes) {
      const { url, events, format, active, rateLimit, ordered } = changes;
      const row = find(organizationId, id);
      if (!row) return null;
      const changed: StoredWebhook = {
        ...row,
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events }),
        ...(format === undefined ? {} : { format }),
        ...(active === undefined ? {} : { active }),
        ...(rateLimit === undefined ? {} : { rateLimit }),
        ...(ordered === undefined ? {} : { ordered }),
        ...(active === false ? { activation: row.activation + Number(row.active) } : {}),
        ...(active ? { disabledAt: null, disabledReason: null } : {}),
      };
      webhooks().put(id, changed);
      return toWebhook(changed);
    },
    async disableWebhook(id, activation, at, reason) {
      const row = webhooks().get(id);
      if (!row?.active || row.activation !== activation) return null;
      const ended = { disabledAt: at, disabledReason: reason };
      const off = { active: false, activation: activation + 1, ...ended };
      webhooks().put(id, { ...row, ...off });
      return toWebhook({ ...row, ...off });
    },
    async markWarned(id, activation) {
      const row = webhooks().get(id);
      if (!row?.active || row.activation !== activation) return null;
      if (row.warnedActivation === activation) return null;
      webhooks().put(id, { ...row, warnedActivation: activation });
      return toWebhook(row);
    },
    async deleteWebhook(organizationId, id) {
      const row = find(organizationId, id);
      if (!row) return false;
      webhooks().put(id, { ...row, active: false, isDeleted: true });
      return true;
    },
    async purgeWebhook(id) {
      if (!webhooks().get(id)?.isDeleted) return;
      deliveries().deleteWhere((row) => row.webhookId === id);
      session.table(FORMER_SECRETS).deleteWhere((row) => row.webhookId === id);
      session.table(REPLAYS).deleteWhere((row) => row.webhookId === id);
      session.table(ATTEMPT_COUNTS).deleteWhere((row) => row.webhookId === id);
      webhooks().delete(id);
    },
    async lockSubscribers(organizationId, types, { after, limit }) {
      const found = listOf(organizationId)
        .filter(
          ({ id, active, events }) =>
            id > after && active && types.some((type) => events.includes(type)),
        )
        .sort(byId);
      return toSubscriberPage(found, limit);
    },
  };
}

function toWebhook(row: StoredWebhook): Webhook {
  const { sealedSecret: _, isDeleted: __, warnedActivation: ___, ...webhook } = row;
  return webhook;
}
