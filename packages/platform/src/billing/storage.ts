import type { Page, PageOf } from '@probity/core';
import type { Invoice, Subscription } from './types.ts';

/** Reads of subscriptions. */
export interface SubscriptionReads {
  /** Null when the organization does not exist or has no subscription. */
  findSubscription(organizationId: string): Promise<Subscription | null>;
  /**
   * Organizations with an active subscription whose cycle has ended by `now`, longest ended first.
   */
  listEndedCycles(now: Date, limit: number): Promise<string[]>;
}

/** Writes of subscriptions. */
export interface SubscriptionWrites {
  /** Stores all fields but the plan, which the organization holds. At most one per organization. */
  insertSubscription(subscription: Subscription): Promise<void>;
  /** Replaces the subscription and the organization's plan. */
  updateSubscription(subscription: Subscription): Promise<void>;
}

/** Reads of invoices. */
export interface InvoiceReads {
  /** The organization's invoices, newest (by sequence) first. */
  listInvoices(organizationId: string, page: Page): Promise<PageOf<Invoice>>;
  /** Null when the invoice does not exist, or its organization was removed. */
  findInvoice(id: string): Promise<Invoice | null>;
  /**
   * Number of invoices of the organization; they are never deleted, so this numbers the next one.
   */
  countInvoices(organizationId: string): Promise<number>;
  /** Whether the organization has an open invoice that was due before `now`. */
  hasOverdueInvoice(organizationId: string, now: Date): Promise<boolean>;
}

/** Writes of invoices. */
export interface InvoiceWrites {
  /**
   * Organization and sequence are unique together: of two invoices with one number the later fails.
   */
  insertInvoice(invoice: Invoice): Promise<void>;
  /**
   * Marks the invoice as paid and returns it; null when the organization has none such or it is not
   * open.
   */
  settleInvoice(organizationId: string, id: string): Promise<Invoice | null>;
}
