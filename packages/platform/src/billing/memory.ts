import type { MemorySession } from '@probity/core';
import { defineMemoryTable, pageOf } from '@probity/core/internal';
import { ORGANIZATIONS } from '../organizations/memory-tables.ts';
import type {
  InvoiceReads,
  InvoiceWrites,
  SubscriptionReads,
  SubscriptionWrites,
} from './storage.ts';
import type { Invoice, Subscription } from './types.ts';

/** A stored subscription; its plan is read from the organization. */
type StoredSubscription = Omit<Subscription, 'plan'>;

const SUBSCRIPTIONS = defineMemoryTable<StoredSubscription>('subscriptions', 'organizationId');
const INVOICES = defineMemoryTable<Invoice>('invoices', 'organizationId');

const subscriptionsOf = (session: MemorySession) => session.table(SUBSCRIPTIONS);
const invoicesOf = (session: MemorySession) => session.table(INVOICES);
const organizationsOf = (session: MemorySession) => session.table(ORGANIZATIONS);

/** Creates the in-memory storage for subscriptions. */
export function createMemorySubscriptions(
  session: MemorySession,
): SubscriptionReads & SubscriptionWrites {
  return {
    async findSubscription(organizationId) {
      const stored = subscriptionsOf(session).get(organizationId);
      const organization = organizationsOf(session).get(organizationId);
      return stored && organization ? { ...stored, plan: organization.plan } : null;
    },
    async listEndedCycles(now, limit) {
      return subscriptionsOf(session)
        .filter(({ status, cycleEnd }) => status === 'active' && cycleEnd <= now)
        .sort((left, right) => left.cycleEnd.getTime() - right.cycleEnd.getTime())
        .slice(0, limit)
        .map(({ organizationId }) => organizationId);
    },
    async insertSubscription({ plan: _, ...stored }) {
      if (subscriptionsOf(session).get(stored.organizationId)) {
        throw new Error('The organization has a subscription already.');
      }
      subscriptionsOf(session).put(stored.organizationId, stored);
    },
    async updateSubscription({ plan, ...stored }) {
      const organization = organizationsOf(session).get(stored.organizationId);
      if (organization) organizationsOf(session).put(organization.id, { ...organization, plan });
      subscriptionsOf(session).put(stored.organizationId, stored);
    },
  };
}

/** Creates the in-memory storage for invoices. */
export function createMemoryInvoices(session: MemorySession): InvoiceReads & InvoiceWrites {
  const ownInvoices = (organizationId: string) =>
    invoicesOf(session).filter((invoice) => invoice.organizationId === organizationId);
  return {
    async listInvoices(organizationId, page) {
      const newestFirst = (left: Invoice, right: Invoice) => right.sequence - left.sequence;
      return pageOf(ownInvoices(organizationId), page, newestFirst);
    },
    async findInvoice(id) {
      return invoicesOf(session).get(id) ?? null;
    },
    async countInvoices(organizationId) {
      return ownInvoices(organizationId).length;
    },
    async hasOverdueInvoice(organizationId, now) {
      return ownInvoices(organizationId).some(
        ({ status, dueAt }) => status === 'open' && dueAt < now,
      );
    },
    async insertInvoice(invoice) {
      const { organizationId, sequence } = invoice;
      const clash = invoicesOf(session).filter(
        (row) => row.organizationId === organizationId && row.sequence === sequence,
      );
      if (clash.length > 0) throw new Error('The organization already has this invoice number.');
      invoicesOf(session).put(invoice.id, invoice);
    },
    async settleInvoice(organizationId, id) {
      const invoice = invoicesOf(session).get(id);
      if (invoice?.organizationId !== organizationId || invoice.status !== 'open') return null;
      const paid = { ...invoice, status: 'paid' as const };
      invoicesOf(session).put(id, paid);
      return paid;
    },
  };
}
