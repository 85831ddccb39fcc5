import type { Page, PageOf } from '@probity/core';
import type { Invoice, Subscription } from './types.ts';

/** Reads of subscriptions. */
export interface SubscriptionReads {
  /** Null when there is no such organization, or it has no subscription. */
  findSubscription(organizationId: string): Promise<Subscription | null>;
  /** Organizations with an active subscription whose cycle has ended by `now`, the longest first. */
  listEndedCycles(now: Date, limit: number): Promise<string[]>;
}

/** Changes of subscriptions. */
export interface SubscriptionWrites {
  /** Stores all but the plan, which is the organization's. One for each organization. */
  insertSubscription(subscription: Subscription): Promise<void>;
  /** Replaces the subscription, and the organization's plan with it. */
  updateSubscription(subscription: Subscription): Promise<void>;
}

/** Reads of invoices. */
export interface InvoiceReads {
  /** The organization's invoices, newest (by sequence) first. */
  listInvoices(organizationId: string, page: Page): Promise<PageOf<Invoice>>;
  /** Null when there is no such invoice. */
  findInvoice(id: string): Promise<Invoice | null>;
  /** How many invoices the organization has; they are never deleted, so this numbers the next one. */
  countInvoices(organizationId: string): Promise<number>;
  /** Whether an invoice of the organization is open and was due before `now`. */
  hasOverdueInvoice(organizationId: string, now: Date): Promise<boolean>;
}

/** Changes of invoices. */
export interface InvoiceWrites {
  /** The pair of organization and sequence is unique: of two invoices with one number the later fails. */
  insertInvoice(invoice: Invoice): Promise<void>;
  /** The invoice as paid; null when the organization has no such invoice, or it is not open. */
  settleInvoice(organizationId: string, id: string): Promise<Invoice | null>;
}
