import type { Ids } from '@probity/core';
import type { Organization } from '../organizations/types.ts';
import type { Settlement } from './invoicing.ts';
import { toInvoices } from './invoicing.ts';
import { openSubscription } from './ledger.ts';
import type { InvoiceWrites, SubscriptionWrites } from './storage.ts';

/**
 * Inserts the first subscription of a new organization, with a first invoice if it is billed, in the transaction that creates the organization.
 */
export async function insertFirstSubscription(
  tx: SubscriptionWrites & InvoiceWrites,
  { id: organizationId, name: billedTo, plan, createdAt }: Organization,
  options: {
    billingEmail: string;
    isBilled: boolean;
    ids: Ids;
    settlement?: Settlement | undefined;
  },
): Promise<void> {
  const { billingEmail, isBilled, ids, settlement = 'on_issue' } = options;
  const terms = { id: ids.next('sub'), organizationId, plan, billingEmail, isBilled };
  const { subscription, invoices } = openSubscription(terms, createdAt);
  await tx.insertSubscription(subscription);
  const addressee = { organizationId, billedTo, billingEmail, invoiceCount: 0 };
  for (const invoice of toInvoices(invoices, addressee, { ids, settlement })) {
    await tx.insertInvoice(invoice);
  }
}
