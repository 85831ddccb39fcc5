import type { Plan } from '@probity/core';
import { toDate } from '@probity/core/sql';
import type { Invoice, InvoiceLine, InvoiceStatus, Subscription } from '../types.ts';
import type { InvoiceRow, SubscriptionRow } from './tables.ts';

export function toSubscriptionRow(subscription: Subscription): SubscriptionRow {
  return {
    organization_id: subscription.organizationId,
    id: subscription.id,
    status: subscription.status,
    anchor: subscription.anchor.getTime(),
    cycle_start: subscription.cycleStart.getTime(),
    cycle_end: subscription.cycleEnd.getTime(),
    billing_email: subscription.billingEmail,
    auto_renew: Number(subscription.autoRenew),
    is_billed: Number(subscription.isBilled),
    credit_balance: subscription.creditBalance,
  };
}

export function toSubscription(row: SubscriptionRow & { plan: string }): Subscription {
  return {
    id: row.id,
    organizationId: row.organization_id,
    plan: row.plan as Plan,
    status: row.status as Subscription['status'],
    anchor: toDate(row.anchor),
    cycleStart: toDate(row.cycle_start),
    cycleEnd: toDate(row.cycle_end),
    billingEmail: row.billing_email,
    autoRenew: row.auto_renew === 1,
    isBilled: row.is_billed === 1,
    creditBalance: row.credit_balance,
  };
}

export function toInvoiceRow(invoice: Invoice): InvoiceRow {
  return {
    id: invoice.id,
    organization_id: invoice.organizationId,
    sequence: invoice.sequence,
    billed_to: invoice.billedTo,
    billing_email: invoice.billingEmail,
    amount: invoice.amount,
    currency: invoice.currency,
    lines: JSON.stringify(invoice.lines),
    issued_at: invoice.issuedAt.getTime(),
    due_at: invoice.dueAt.getTime(),
    status: invoice.status,
  };
}

export function toInvoice(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    organizationId: row.organization_id,
    sequence: row.sequence,
    billedTo: row.billed_to,
    billingEmail: row.billing_email,
    amount: row.amount,
    currency: row.currency,
    lines: JSON.parse(row.lines) as InvoiceLine[],
    issuedAt: toDate(row.issued_at),
    dueAt: toDate(row.due_at),
    status: row.status as InvoiceStatus,
  };
}
