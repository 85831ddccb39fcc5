import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import type {
  BillingReads,
  BillingStorage,
  BillingWrites,
  SubscriptionInserts,
} from '../storage.ts';
import { toInvoice, toInvoiceRow, toSubscription, toSubscriptionRow } from './rows.ts';
import type { BillingTables } from './tables.ts';

/** The storage of subscriptions and invoices on SQLite and PostgreSQL. */
export function createSqlBillingStorage(database: SqlDatabase): BillingStorage {
  return bindStorage<SqlSession, BillingReads, BillingWrites>(database, (session) => ({
    ...createReads(session),
    ...createSqlSubscriptionInserts(session),
    ...createWrites(session),
  }));
}

function createReads(session: SqlSession): BillingReads {
  const db = () => session.kysely<BillingTables>();
  const invoicesOf = (organizationId: string) =>
    db().selectFrom('invoices').where('organization_id', '=', organizationId);
  const countOf = async (organizationId: string) => {
    const counted = invoicesOf(organizationId).select((eb) => eb.fn.countAll().as('count'));
    return Number((await counted.executeTakeFirstOrThrow()).count);
  };
  return {
    async findSubscription(organizationId) {
      const row = await db()
        .selectFrom('subscriptions as s')
        .innerJoin('organizations as o', 'o.id', 's.organization_id')
        .selectAll('s')
        .select('o.plan')
        .where('s.organization_id', '=', organizationId)
        .executeTakeFirst();
      return row ? toSubscription(row) : null;
    },
    async listEndedCycles(now, limit) {
      const rows = await db()
        .selectFrom('subscriptions')
        .select('organization_id')
        .where('status', '=', 'active')
        .where('cycle_end', '<=', now.getTime())
        .orderBy('cycle_end')
        .limit(limit)
        .execute();
      return rows.map((row) => row.organization_id);
    },
    async listInvoices(organizationId, { limit, offset }) {
      const rows = await invoicesOf(organizationId)
        .selectAll()
        .orderBy('sequence', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      return { items: rows.map(toInvoice), total: await countOf(organizationId) };
    },
    async findInvoice(id) {
      const query = db().selectFrom('invoices').selectAll().where('id', '=', id);
      const row = await query.executeTakeFirst();
      return row ? toInvoice(row) : null;
    },
    countInvoices: countOf,
    async hasOverdueInvoice(organizationId, now) {
      const overdue = invoicesOf(organizationId)
        .select('id')
        .where('status', '=', 'open')
        .where('due_at', '<', now.getTime());
      return (await overdue.limit(1).executeTakeFirst()) !== undefined;
    },
  };
}

/** What the making of an organization stores, on a SQL session. */
export function createSqlSubscriptionInserts(session: SqlSession): SubscriptionInserts {
  const db = () => session.kysely<BillingTables>();
  return {
    async insertSubscription(subscription) {
      await db().insertInto('subscriptions').values(toSubscriptionRow(subscription)).execute();
    },
    async insertInvoice(invoice) {
      await db().insertInto('invoices').values(toInvoiceRow(invoice)).execute();
    },
  };
}

function createWrites(session: SqlSession): Omit<BillingWrites, keyof SubscriptionInserts> {
  const db = () => session.kysely<BillingTables>();
  return {
    async updateSubscription(subscription) {
      const { organization_id: organizationId, ...columns } = toSubscriptionRow(subscription);
      await db()
        .updateTable('subscriptions')
        .set(columns)
        .where('organization_id', '=', organizationId)
        .execute();
      await db()
        .updateTable('organizations')
        .set({ plan: subscription.plan })
        .where('id', '=', organizationId)
        .execute();
    },
    async settleInvoice(organizationId, id) {
      const row = await db()
        .updateTable('invoices')
        .set({ status: 'paid' })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('status', '=', 'open')
        .returningAll()
        .executeTakeFirst();
      return row ? toInvoice(row) : null;
    },
  };
}
