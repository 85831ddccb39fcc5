import type { Ids } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import type { InvoiceDraft } from './ledger.ts';
import { BILLING_CURRENCY } from './plans.ts';
import type { Invoice, InvoiceStatus } from './types.ts';

/** The recipient of new invoices and the organization's invoice count. */
export interface InvoiceAddressee {
  readonly organizationId: string;
  readonly billedTo: string;
  readonly billingEmail: string | null;
  /** Number of invoices that the organization already has. */
  readonly invoiceCount: number;
}

/**
 * How invoices become paid. `on_issue`: the operator settles payment outside the service, so every
 * invoice counts as paid when it is issued. `by_host`: it stays open until the host calls `settle`.
 */
export type Settlement = 'on_issue' | 'by_host';

/** Days from an invoice's date to its due date. */
const PAYMENT_TERM_DAYS = 30;

/** Numbers the drafts as invoices. An invoice with a total of 0 is always paid. */
export function toInvoices(
  drafts: readonly InvoiceDraft[],
  addressee: InvoiceAddressee,
  { ids, settlement }: { ids: Ids; settlement: Settlement },
): Invoice[] {
  const { organizationId, billedTo, billingEmail, invoiceCount } = addressee;
  return drafts.map(({ lines, issuedAt }, index) => {
    const amount = lines.reduce((total, line) => total + line.amount, 0);
    const status: InvoiceStatus = amount > 0 && settlement === 'by_host' ? 'open' : 'paid';
    return {
      id: ids.next('ivc'),
      organizationId,
      sequence: invoiceCount + index + 1,
      billedTo,
      billingEmail,
      amount,
      currency: BILLING_CURRENCY,
      lines,
      issuedAt,
      dueAt: new Date(issuedAt.getTime() + PAYMENT_TERM_DAYS * DAY_MS),
      status,
    };
  });
}
