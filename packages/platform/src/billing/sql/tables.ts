/** Tables of subscriptions and invoices; the plan is a column of the organization. */
export interface BillingTables {
  probity_subscriptions: SubscriptionRow;
  probity_invoices: InvoiceRow;
}

export interface SubscriptionRow {
  organization_id: string;
  id: string;
  status: string;
  anchor: number;
  cycle_start: number;
  cycle_end: number;
  billing_email: string | null;
  auto_renew: number;
  is_billed: number;
  credit_balance: number;
}

export interface InvoiceRow {
  id: string;
  organization_id: string;
  sequence: number;
  billed_to: string;
  billing_email: string | null;
  amount: number;
  currency: string;
  lines: string;
  issued_at: number;
  due_at: number;
  status: string;
}
