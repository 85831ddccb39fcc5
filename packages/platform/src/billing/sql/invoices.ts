import type { SqlSession } from '@probity/core/sql';
import { countRows, pageOf } from '@probity/core/sql';
import type { OrganizationTables } from '../../organizations/sql/tables.ts';
import type { InvoiceReads, InvoiceWrites } from '../storage.ts';
import { toInvoice, toInvoiceRow } from './rows.ts';
import type { BillingTables } from './tables.ts';

/** Creates the SQL storage for invoices. */
export function createSqlInvoices(session: SqlSession): InvoiceReads & InvoiceWrites {
  const db = () => session.kysely<BillingTables & OrganizationTables>();
  const invoicesOf = (organizationId: string) =>
    db().selectFrom('probity_invoices').where('organization_id', '=', organizationId);
  return {
    listInvoices(organizationId, page) {
      const newest = invoicesOf(organizationId).selectAll().orderBy('sequence', 'desc');
      return pageOf(newest, page, toInvoice);
    },
    async findInvoice(id) {
      const row = await db()
        .selectFrom('probity_invoices as i')
        .innerJoin('probity_tenants as tenant', 'tenant.id', 'i.organization_id')
        .selectAll('i')
        .where('i.id', '=', id)
        .where('tenant.removed_at', 'is', null)
        .executeTakeFirst();
      return row ? toInvoice(row) : null;
    },
    countInvoices: (organizationId) => countRows(invoicesOf(organizationId)),
    async hasOverdueInvoice(organizationId, now) {
      const overdue = invoicesOf(organizationId)
        .select('id')
        .where('status', '=', 'open')
        .where('due_at', '<', now.getTime());
      return (await overdue.limit(1).executeTakeFirst()) !== undefined;
    },
    async insertInvoice(invoice) {
      await db().insertInto('probity_invoices').values(toInvoiceRow(invoice)).execute();
    },
    async settleInvoice(organizationId, id) {
      const row = await db()
        .updateTable('probity_invoices')
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
