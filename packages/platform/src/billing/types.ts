import type { Plan } from '@probity/core';

/** Where a subscription stands (contract, section 3). */
export const SUBSCRIPTION_STATUSES = ['trialing', 'active', 'past_due', 'canceled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Where an invoice stands (contract, section 3). */
export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** An organization's subscription (specification, "Subscription"). */
export interface Subscription {
  readonly id: string;
  readonly organizationId: string;
  /** The organization's own plan: there is one column for both. */
  readonly plan: Plan;
  /** As stored; `past_due` follows from open invoices when it is shown. */
  readonly status: Extract<SubscriptionStatus, 'active' | 'canceled'>;
  /** The moment that the monthly cycles count from. */
  readonly anchor: Date;
  readonly cycleStart: Date;
  /** The first moment of the next cycle. */
  readonly cycleEnd: Date;
  readonly billingEmail: string | null;
  readonly autoRenew: boolean;
  /** What the organization has paid and not used, in minor units; never negative. */
  readonly creditBalance: number;
}

/** One line of an invoice; credits are negative. */
export interface InvoiceLine {
  readonly description: string;
  /** Minor units. */
  readonly amount: number;
}

/** An invoice (specification, "Invoice"); what it says never changes, its status may. */
export interface Invoice {
  readonly id: string;
  readonly organizationId: string;
  /** 1, 2, 3 … within the organization, without gaps. */
  readonly sequence: number;
  /** The organization's name when the invoice was made. */
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

/** The number that people call an invoice by. */
export function toInvoiceNumber({ sequence }: Pick<Invoice, 'sequence'>): string {
  return `PB-${String(sequence).padStart(6, '0')}`;
}
