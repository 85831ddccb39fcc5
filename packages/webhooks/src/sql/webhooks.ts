import type { EventType } from '@probity/core';
import { prepareQuery, requireSealingKey, type SqlSession, sealedColumn } from '@probity/core/sql';
import type { Kysely } from 'kysely';
import type { WebhookReads, WebhookWrites } from '../storage.ts';
import { toWebhook, toWebhookRow } from './rows.ts';
import type { WebhookRow, WebhookTables } from './tables.ts';

/** The columns that make a `Webhook`: all but the secret. */
const WEBHOOK_COLUMNS = [
  'id',
  'organization_id',
  'url',
  'events',
  'active',
  'created_at',
  'disabled_at',
  'disabled_reason',
] as const;

type WebhookFacts = Pick<WebhookRow, (typeof WEBHOOK_COLUMNS)[number]>;
type Subscription = { organizationId: string };

const selectActive = (db: Kysely<WebhookTables>, organizationId: string) =>
  db
    .selectFrom('webhooks')
    .select(WEBHOOK_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('active', '=', 1)
    .orderBy('id');

/** SQLite's writer holds the whole database already. */
const selectSubscribers = {
  sqlite: prepareQuery<WebhookTables, Subscription, WebhookFacts>((db, value) =>
    selectActive(db, value('organizationId')),
  ),
  postgres: prepareQuery<WebhookTables, Subscription, WebhookFacts>((db, value) =>
    selectActive(db, value('organizationId')).forShare(),
  ),
};

/** Reads of webhooks on a SQL session. */
export function createWebhookReads(
  session: SqlSession,
): Pick<WebhookReads, 'listWebhooks' | 'findWebhook' | 'countWebhooks' | 'listSealedSecrets'> {
  const db = () => session.kysely<WebhookTables>();
  const countWebhooks = async (organizationId: string) => {
    const { count } = await db()
      .selectFrom('webhooks')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  return {
    countWebhooks,
    listSealedSecrets: sealedColumn(session, 'webhooks', 'sealed_secret').list,
    async listWebhooks(organizationId, { limit, offset }) {
      const rows = await db()
        .selectFrom('webhooks')
        .select(WEBHOOK_COLUMNS)
        .where('organization_id', '=', organizationId)
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute();
      return { items: rows.map(toWebhook), total: await countWebhooks(organizationId) };
    },
    async findWebhook(organizationId, id) {
      const row = await db()
        .selectFrom('webhooks')
        .select(WEBHOOK_COLUMNS)
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? toWebhook(row) : null;
    },
  };
}

/** Changes of webhooks on a SQL session. */
export function createWebhookWrites(
  session: SqlSession,
): Pick<
  WebhookWrites,
  | 'insertWebhook'
  | 'updateWebhook'
  | 'disableWebhook'
  | 'deleteWebhook'
  | 'lockSubscribers'
  | 'replaceSealedSecret'
> {
  const db = () => session.kysely<WebhookTables>();
  return {
    replaceSealedSecret: sealedColumn(session, 'webhooks', 'sealed_secret').replace,
    async insertWebhook(webhook, sealedSecret) {
      await requireSealingKey(session, sealedSecret);
      await db().insertInto('webhooks').values(toWebhookRow(webhook, sealedSecret)).execute();
    },
    async updateWebhook(organizationId, id, { url, events, active }) {
      const row = await db()
        .updateTable('webhooks')
        .set({
          // SQL knows no update of nothing.
          id,
          ...(url === undefined ? {} : { url }),
          ...(events === undefined ? {} : { events: JSON.stringify(events) }),
          ...(active === undefined ? {} : { active: Number(active) }),
          ...(active ? { disabled_at: null, disabled_reason: null } : {}),
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning(WEBHOOK_COLUMNS)
        .executeTakeFirst();
      return row ? toWebhook(row) : null;
    },
    async disableWebhook(id, at, reason) {
      const { numUpdatedRows } = await db()
        .updateTable('webhooks')
        .set({ active: 0, disabled_at: at.getTime(), disabled_reason: reason })
        .where('id', '=', id)
        .where('active', '=', 1)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async deleteWebhook(organizationId, id) {
      const { numDeletedRows } = await db()
        .deleteFrom('webhooks')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async lockSubscribers(organizationId, type: EventType) {
      const rows = await selectSubscribers[session.dialect](session, { organizationId });
      return rows.map(toWebhook).filter(({ events }) => events.includes(type));
    },
  };
}
