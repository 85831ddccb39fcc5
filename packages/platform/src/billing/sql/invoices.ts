import type { SqlSession } from '@probity/core/sql';
import type { InvoiceReads, InvoiceWrites } from '../storage.ts';
import { toInvoice, toInvoiceRow } from './rows.ts';
import type { BillingTables } from './tables.ts';

/** Invoices on a SQL session. */
export function createSqlInvoices(session: SqlSession): InvoiceReads & InvoiceWrites {
  const db = () => session.kysely<BillingTables>();
  const invoicesOf = (organizationId: string) =>
    db().selectFrom('invoices').where('organization_id', '=', organizationId);
  const countOf = async (organizationId: string) => {
    const counted = invoicesOf(organizationId).select((eb) => eb.fn.countAll().as('count'));
    return Number((await counted.executeTakeFirstOrThrow()).count);
  };
  return {
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
    async insertInvoice(invoice) {
      await db().insertInto('invoices').values(toInvoiceRow(invoice)).execute();
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
