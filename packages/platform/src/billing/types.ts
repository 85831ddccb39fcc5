import type { Plan } from '@probity/core';

/** Statuses of a subscription (contract, section 3). */
export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Statuses of an invoice (contract, section 3). */
export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** An organization's subscription (specification, "Subscription"). */
export interface Subscription {
  readonly id: string;
  readonly organizationId: string;
  /** The organization's plan: one column stores both. */
  readonly plan: Plan;
  /** As stored; `past_due` is derived from open invoices when read. */
  readonly status: Extract<SubscriptionStatus, 'active' | 'canceled'>;
  /** The start from which monthly cycles are counted. */
  readonly anchor: Date;
  readonly cycleStart: Date;
  /** Start of the next cycle. */
  readonly cycleEnd: Date;
  readonly billingEmail: string | null;
  readonly autoRenew: boolean;
  /** False until a plan is chosen: the plan then costs nothing and no invoice is issued. */
  readonly isBilled: boolean;
  /** Unused credit of the organization in minor units; never negative. */
  readonly creditBalance: number;
}

/** One line of an invoice; credits are negative. */
export interface InvoiceLine {
  readonly description: string;
  /** In minor units. */
  readonly amount: number;
}

/** An invoice (specification, "Invoice"); only its status may change. */
export interface Invoice {
  readonly id: string;
  readonly organizationId: string;
  /** 1, 2, 3 … within the organization, without gaps. */
  readonly sequence: number;
  /** The organization's name when the invoice was issued. */
  readonly billedTo: string;
  readonly billingEmail: string | null;
  /** Sum of the lines in minor units; never negative. */
  readonly amount: number;
  readonly currency: string;
  readonly lines: readonly InvoiceLine[];
  readonly issuedAt: Date;
  readonly dueAt: Date;
  readonly status: InvoiceStatus;
}

/** Formats the invoice number shown to people. */
export function toInvoiceNumber({ sequence }: Pick<Invoice, 'sequence'>): string {
  return `PB-${String(sequence).padStart(6, '0')}`;
}
