import type { SqlSession } from '@probity/core/sql';
import {
  countChanges,
  countRows,
  pageOf,
  prepareQuery,
  requireSealingKey,
  toDate,
  toDateOrNull,
} from '@probity/core/sql';
import { sql } from 'kysely';
import { MAX_WEBHOOKS } from './limits.ts';
import type { WebhookReads, WebhookWrites } from './storage.ts';
import { toSubscriberPage } from './subscriber-page.ts';
import type { Webhook, WebhookFormat } from './types.ts';

/** Times are milliseconds since 1970. */
interface WebhookTables {
  probity_webhooks: WebhookRow;
}

interface WebhookRow {
  id: string;
  organization_id: string;
  url: string;
  /** JSON array of event types. */
  events: string;
  format: WebhookFormat;
  active: number;
  activation: number;
  /** 1 once it was deleted; the row stays until its deliveries are deleted. */
  deleted: number;
  sealed_secret: string;
  rate_limit: number | null;
  ordered: number;
  created_at: number;
  disabled_at: number | null;
  disabled_reason: string | null;
  /** The activation in which its owners were last warned; -1 when never. */
  warned_activation: number;
}

/** The columns of a `Webhook`. */
const WEBHOOK_COLUMNS = [
  'id',
  'organization_id',
  'url',
  'events',
  'format',
  'active',
  'activation',
  'rate_limit',
  'ordered',
  'created_at',
  'disabled_at',
  'disabled_reason',
] as const;

/** A webhook's row as read. */
type WebhookColumns = Pick<WebhookRow, (typeof WEBHOOK_COLUMNS)[number]>;

interface Subscription {
  organizationId: string;
  /** JSON array of the event types as JSON, as which they are part of `events`. */
  types: string;
  after: string;
  limit: number;
}

const selectSubscribers = prepareQuery<WebhookTables, Subscription, WebhookColumns>(
  (db, value, dialect) => {
    const lists =
      dialect === 'sqlite'
        ? sql<boolean>`exists (select 1 from json_each(${value('types')}) as given where instr(events, given.value) > 0)`
        : sql<boolean>`exists (
            select 1 from json_array_elements_text(cast(${value('types')} as json)) as given (type)
            where strpos(events, given.type) > 0)`;
    const next = db
      .selectFrom('probity_webhooks')
      .select(['id', 'events'])
      .where('organization_id', '=', value('organizationId'))
      .where('active', '=', 1)
      .where('id', '>', value('after'))
      .orderBy('id')
      .limit(MAX_WEBHOOKS);
    const subscribed = db
      .selectFrom(next.as('next'))
      .select('id')
      .where(lists)
      .orderBy('id')
      .limit(value('limit'));
    // Only these are locked.
    const active = db
      .selectFrom('probity_webhooks')
      .select(WEBHOOK_COLUMNS)
      .where('active', '=', 1)
      .orderBy('id');
    // SQLite's write lock already covers the whole database. PostgreSQL reads an array first; it would merge a subquery
    // with all webhooks.
    return dialect === 'sqlite'
      ? active.where('id', 'in', subscribed)
      : active.where('id', '=', sql<string>`any(array(${subscribed}))`).forShare();
  },
);

/** Reads webhooks on a SQL session. */
export function createWebhookReads(session: SqlSession): WebhookReads {
  const webhooksOf = (organizationId: string) =>
    session
      .kysely<WebhookTables>()
      .selectFrom('probity_webhooks')
      .select(WEBHOOK_COLUMNS)
      .where('organization_id', '=', organizationId)
      .where('deleted', '=', 0);
  return {
    listWebhooks(organizationId, page) {
      const oldest = webhooksOf(organizationId).orderBy('created_at').orderBy('id');
      return pageOf(oldest, page, toWebhook);
    },
    async findWebhook(organizationId, id) {
      const row = await webhooksOf(organizationId).where('id', '=', id).executeTakeFirst();
      return row ? toWebhook(row) : null;
    },
    countWebhooks: (organizationId) => countRows(webhooksOf(organizationId)),
  };
}

/** An active webhook is turned off once more; `active` is the value before the update. */
const countedOff = { activation: sql<number>`activation + active` };

/** Writes webhooks on a SQL session. */
export function createWebhookWrites(session: SqlSession): WebhookWrites {
  const db = () => session.kysely<WebhookTables>();
  return {
    async insertWebhook(webhook, sealedSecret) {
      await requireSealingKey(session, sealedSecret);
      await db()
        .insertInto('probity_webhooks')
        .values(toWebhookRow(webhook, sealedSecret))
        .execute();
    },
    async updateWebhook(organizationId, id, changes) {
      const { url, events, format, active, rateLimit, ordered } = changes;
      const row = await db()
        .updateTable('probity_webhooks')
        .set({
          // SQL has no update without columns; that of a key would look for the rows that refer to it.
          deleted: 0,
          ...(url === undefined ? {} : { url }),
          ...(events === undefined ? {} : { events: JSON.stringify(events) }),
          ...(format === undefined ? {} : { format }),
          ...(active === undefined ? {} : { active: Number(active) }),
          ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
          ...(ordered === undefined ? {} : { ordered: Number(ordered) }),
          ...(active === false ? countedOff : {}),
          ...(active ? { disabled_at: null, disabled_reason: null } : {}),
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('deleted', '=', 0)
        .returning(WEBHOOK_COLUMNS)
        .executeTakeFirst();
      return row ? toWebhook(row) : null;
    },
    async disableWebhook(id, activation, at, reason) {
      const row = await db()
        .updateTable('probity_webhooks')
        .set({ active: 0, ...countedOff, disabled_at: at.getTime(), disabled_reason: reason })
        .where('id', '=', id)
        .where('active', '=', 1)
        .where('activation', '=', activation)
        .returning(WEBHOOK_COLUMNS)
        .executeTakeFirst();
      return row ? toWebhook(row) : null;
    },
    async markWarned(id, activation) {
      const row = await db()
        .updateTable('probity_webhooks')
        .set({ warned_activation: activation })
        .where('id', '=', id)
        .where('active', '=', 1)
        .where('activation', '=', activation)
        .where('warned_activation', '<>', activation)
        .returning(WEBHOOK_COLUMNS)
        .executeTakeFirst();
      return row ? toWebhook(row) : null;
    },
    async deleteWebhook(organizationId, id) {
      const deletion = db()
        .updateTable('probity_webhooks')
        .set({ deleted: 1, active: 0, ...countedOff })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('deleted', '=', 0);
      return (await countChanges(deletion)) > 0;
    },
    async purgeWebhook(id) {
      await db()
        .deleteFrom('probity_webhooks')
        .where('id', '=', id)
        .where('deleted', '=', 1)
        .execute();
    },
    async lockSubscribers(organizationId, types, { after, limit }) {
      const quoted = JSON.stringify(types.map((type) => JSON.stringify(type)));
      const own = { organizationId, types: quoted, after, limit: limit + 1 };
      const rows = await selectSubscribers(session, own);
      return toSubscriberPage(rows.map(toWebhook), limit);
    },
  };
}

function toWebhookRow(webhook: Webhook, sealedSecret: string): WebhookRow {
  return {
    id: webhook.id,
    organization_id: webhook.organizationId,
    url: webhook.url,
    events: JSON.stringify(webhook.events),
    format: webhook.format,
    active: Number(webhook.active),
    activation: webhook.activation,
    deleted: 0,
    sealed_secret: sealedSecret,
    rate_limit: webhook.rateLimit,
    ordered: Number(webhook.ordered),
    created_at: webhook.createdAt.getTime(),
    disabled_at: webhook.disabledAt?.getTime() ?? null,
    disabled_reason: webhook.disabledReason,
    warned_activation: -1,
  };
}

function toWebhook(row: WebhookColumns): Webhook {
  return {
    id: row.id,
    organizationId: row.organization_id,
    url: row.url,
    events: JSON.parse(row.events) as string[],
    format: row.format,
    active: row.active === 1,
    activation: row.activation,
    rateLimit: row.rate_limit,
    ordered: row.ordered === 1,
    createdAt: toDate(row.created_at),
    disabledAt: toDateOrNull(row.disabled_at),
    disabledReason: row.disabled_reason,
  };
}
