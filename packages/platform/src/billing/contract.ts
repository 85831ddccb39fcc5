import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at, START } from '@probity/core/testing';
import { withOrganization } from '../testing/contract-world.ts';
import type { PlatformPromises } from '../testing/targets.ts';
import type { Invoice, Subscription } from './types.ts';

/** Contract checks of subscriptions and invoices, by test title. */
export const billingPromises: PlatformPromises = {
  'a subscription is read back as stored, with the plan of its organization': withOrganization(
    async ({ storage }, organizationId) => {
      assert.equal(await storage.findSubscription(organizationId), null);
      const stored = newSubscription(organizationId, {
        autoRenew: false,
        isBilled: false,
        creditBalance: 7,
      });
      await storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.insertSubscription({ ...stored, plan: 'enterprise' }),
      );
      assert.deepEqual(await storage.findSubscription(organizationId), stored);
      assert.equal(await storage.findSubscription('org_none'), null);
    },
  ),

  'updating a subscription changes the plan seen by the organization and its API keys':
    withOrganization(async ({ storage }, organizationId) => {
      const before = newSubscription(organizationId);
      const updated = newSubscription(organizationId, {
        plan: 'enterprise',
        status: 'canceled',
        cycleEnd: at(9),
        billingEmail: null,
        creditBalance: 12,
      });
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertSubscription(before));
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.updateSubscription(updated));
      assert.deepEqual(await storage.findSubscription(organizationId), updated);
      assert.equal((await storage.findOrganization(organizationId))?.plan, 'enterprise');
    }),

  'an organization has at most one subscription': withOrganization(
    async ({ storage }, organizationId) => {
      const insert = (id: string) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.insertSubscription(newSubscription(organizationId, { id })),
        );
      await insert('sub_1');
      await assert.rejects(insert('sub_2'));
      assert.equal((await storage.findSubscription(organizationId))?.id, 'sub_1');
    },
  ),

  'subscriptions with ended cycles are listed longest ended first, without those canceled or of removed organizations':
    withOrganization(async ({ storage, addOrganization }, first) => {
      const ids = [first];
      for (let index = 1; index < 4; index += 1) ids.push((await addOrganization()).id);
      const [a, b, c, d] = ids as [string, string, string, string];
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.insertSubscription(newSubscription(a, { cycleEnd: at(20) }));
        await tx.insertSubscription(newSubscription(b, { cycleEnd: at(10) }));
        await tx.insertSubscription(newSubscription(c, { cycleEnd: at(5), status: 'canceled' }));
        await tx.insertSubscription(newSubscription(d, { cycleEnd: at(21) }));
      });
      assert.deepEqual(await storage.listEndedCycles(at(20), 10), [b, a]);
      assert.deepEqual(await storage.listEndedCycles(at(20), 1), [b]);
      assert.deepEqual(await storage.listEndedCycles(at(9), 10), []);
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.markTenantRemoved(b, at(20));
        await tx.retireOrganization(b);
      });
      assert.deepEqual(await storage.listEndedCycles(at(20), 10), [a]);
      assert.equal(await storage.findSubscription(b), null);
    }),

  'invoices are listed newest first, to their own organization only, and gone with it':
    withOrganization(async ({ storage, addOrganization }, organizationId) => {
      const other = (await addOrganization()).id;
      const invoices = [1, 2, 3].map((sequence) => newInvoice(organizationId, { sequence }));
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (const invoice of invoices) await tx.insertInvoice(invoice);
      });
      const page = (offset: number) => storage.listInvoices(organizationId, { limit: 2, offset });
      assert.deepEqual(await page(0), { items: [invoices[2], invoices[1]], total: 3 });
      assert.deepEqual(await page(2), { items: [invoices[0]], total: 3 });
      assert.equal(await storage.countInvoices(organizationId), 3);
      assert.equal(await storage.countInvoices(other), 0);
      assert.deepEqual(await storage.findInvoice(invoices[1]?.id ?? ''), invoices[1]);
      assert.equal(await storage.findInvoice('ivc_none'), null);
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.markTenantRemoved(organizationId, START);
        await tx.retireOrganization(organizationId);
      });
      assert.equal(await storage.findInvoice(invoices[1]?.id ?? ''), null);
    }),

  'an invoice number is unique within an organization': withOrganization(
    async ({ storage, addOrganization }, organizationId) => {
      const other = (await addOrganization()).id;
      const insert = (invoice: Invoice) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertInvoice(invoice));
      await insert(newInvoice(organizationId));
      await assert.rejects(insert(newInvoice(organizationId, { id: 'ivc_again' })));
      await insert(newInvoice(other));
      assert.equal(await storage.countInvoices(organizationId), 1);
    },
  ),

  'an open invoice is overdue after its due date, until it is settled once': withOrganization(
    async ({ storage, addOrganization }, organizationId) => {
      const other = (await addOrganization()).id;
      const invoice = newInvoice(organizationId, { status: 'open', dueAt: at(50) });
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertInvoice(invoice));
      const overdue = (ms: number) => storage.hasOverdueInvoice(organizationId, at(ms));
      assert.deepEqual([await overdue(50), await overdue(51)], [false, true]);
      assert.equal(await storage.hasOverdueInvoice(other, at(51)), false);
      const settle = (owner: string) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) => tx.settleInvoice(owner, invoice.id));
      assert.equal(await settle(other), null);
      assert.deepEqual(await settle(organizationId), { ...invoice, status: 'paid' });
      assert.equal(await settle(organizationId), null);
      assert.equal(await overdue(51), false);
    },
  ),
};

function newSubscription(organizationId: string, given: Partial<Subscription> = {}): Subscription {
  return {
    id: `sub_${organizationId}`,
    organizationId,
    plan: 'starter',
    status: 'active',
    anchor: START,
    cycleStart: at(1),
    cycleEnd: at(2),
    billingEmail: 'ø@example.com',
    autoRenew: true,
    isBilled: true,
    creditBalance: 0,
    ...given,
  };
}

function newInvoice(organizationId: string, given: Partial<Invoice> = {}): Invoice {
  const { sequence = 1 } = given;
  return {
    id: `ivc_${organizationId}_${sequence}`,
    organizationId,
    sequence,
    billedTo: 'Ærø',
    billingEmail: null,
    amount: 4_900,
    currency: 'usd',
    lines: [{ description: 'Größe "x"', amount: 4_900 }],
    issuedAt: at(sequence),
    dueAt: at(100),
    status: 'paid',
    ...given,
  };
}
