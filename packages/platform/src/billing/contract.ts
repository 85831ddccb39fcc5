import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at, START } from '@probity/core/testing';
import type { PlatformStorage } from '../organizations/storage.ts';
import { newOrganization } from '../testing/records.ts';
import type { BillingStorage } from './storage.ts';
import type { Invoice, Subscription } from './types.ts';

/** The storage of billing on an empty database. */
export interface BillingContractDatabase {
  readonly platform: PlatformStorage;
  readonly billing: BillingStorage;
  /** Closes and removes the database. */
  dispose(): Promise<void>;
}

/** What the contract suite of billing runs on. */
export interface BillingContractTarget {
  readonly name: string;
  open(): Promise<BillingContractDatabase>;
}

type Work = (opened: BillingContractDatabase, organizationId: string) => Promise<void>;
type WithOrganization = (work: Work) => () => Promise<void>;

/** The contract of {@link BillingStorage} as node:test suites. Every adapter must pass it. */
export function describeBillingStorageContract(target: BillingContractTarget): void {
  const withOrganization: WithOrganization = (work) => async () => {
    const opened = await target.open();
    const run = async () => work(opened, await insertOrganization(opened.platform));
    await run().finally(opened.dispose);
  };
  describe(`${target.name}: billing storage`, () => {
    describeSubscriptions(withOrganization);
    describeEndedCycles(withOrganization);
    describeInvoices(withOrganization);
    describeSettlement(withOrganization);
  });
}

async function insertOrganization(platform: PlatformStorage): Promise<string> {
  const organization = newOrganization();
  await platform.transaction(OUTSIDE_REQUEST, (tx) => tx.insertOrganization(organization));
  return organization.id;
}

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

function describeSubscriptions(withOrganization: WithOrganization): void {
  test(
    'a subscription comes back as stored, with the plan of the organization',
    withOrganization(async ({ billing, platform }, organizationId) => {
      assert.equal(await billing.findSubscription(organizationId), null);
      const stored = newSubscription(organizationId, { autoRenew: false, creditBalance: 7 });
      await platform.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.insertSubscription({ ...stored, plan: 'enterprise' }),
      );
      assert.deepEqual(await billing.findSubscription(organizationId), stored);
      assert.equal(await billing.findSubscription('org_none'), null);
    }),
  );

  test(
    'an update holds for the plan of the organization and its keys as well',
    withOrganization(async ({ billing, platform }, organizationId) => {
      const before = newSubscription(organizationId);
      const updated = newSubscription(organizationId, {
        plan: 'enterprise',
        status: 'canceled',
        cycleEnd: at(9),
        billingEmail: null,
        creditBalance: 12,
      });
      await billing.transaction(OUTSIDE_REQUEST, (tx) => tx.insertSubscription(before));
      await billing.transaction(OUTSIDE_REQUEST, (tx) => tx.updateSubscription(updated));
      assert.deepEqual(await billing.findSubscription(organizationId), updated);
      assert.equal((await platform.findOrganization(organizationId))?.plan, 'enterprise');
    }),
  );

  test(
    'an organization has one subscription',
    withOrganization(async ({ billing }, organizationId) => {
      const insert = (id: string) =>
        billing.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.insertSubscription(newSubscription(organizationId, { id })),
        );
      await insert('sub_1');
      await assert.rejects(insert('sub_2'));
      assert.equal((await billing.findSubscription(organizationId))?.id, 'sub_1');
    }),
  );
}

function describeEndedCycles(withOrganization: WithOrganization): void {
  test(
    'ended cycles are listed longest ended first, without canceled subscriptions',
    withOrganization(async ({ billing, platform }, first) => {
      const ids = [first];
      for (let index = 1; index < 4; index += 1) ids.push(await insertOrganization(platform));
      const [a, b, c, d] = ids as [string, string, string, string];
      await billing.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.insertSubscription(newSubscription(a, { cycleEnd: at(20) }));
        await tx.insertSubscription(newSubscription(b, { cycleEnd: at(10) }));
        await tx.insertSubscription(newSubscription(c, { cycleEnd: at(5), status: 'canceled' }));
        await tx.insertSubscription(newSubscription(d, { cycleEnd: at(21) }));
      });
      assert.deepEqual(await billing.listEndedCycles(at(20), 10), [b, a]);
      assert.deepEqual(await billing.listEndedCycles(at(20), 1), [b]);
      assert.deepEqual(await billing.listEndedCycles(at(9), 10), []);
    }),
  );
}

function describeInvoices(withOrganization: WithOrganization): void {
  test(
    'invoices are listed newest first, page by page, to their own organization only',
    withOrganization(async ({ billing, platform }, organizationId) => {
      const other = await insertOrganization(platform);
      const invoices = [1, 2, 3].map((sequence) => newInvoice(organizationId, { sequence }));
      await billing.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (const invoice of invoices) await tx.insertInvoice(invoice);
      });
      const page = (offset: number) => billing.listInvoices(organizationId, { limit: 2, offset });
      assert.deepEqual(await page(0), { items: [invoices[2], invoices[1]], total: 3 });
      assert.deepEqual(await page(2), { items: [invoices[0]], total: 3 });
      assert.equal(await billing.countInvoices(organizationId), 3);
      assert.equal(await billing.countInvoices(other), 0);
      assert.deepEqual(await billing.findInvoice(invoices[1]?.id ?? ''), invoices[1]);
      assert.equal(await billing.findInvoice('ivc_none'), null);
    }),
  );

  test(
    'a number is given once within an organization',
    withOrganization(async ({ billing, platform }, organizationId) => {
      const other = await insertOrganization(platform);
      const insert = (invoice: Invoice) =>
        billing.transaction(OUTSIDE_REQUEST, (tx) => tx.insertInvoice(invoice));
      await insert(newInvoice(organizationId));
      await assert.rejects(insert(newInvoice(organizationId, { id: 'ivc_again' })));
      await insert(newInvoice(other));
      assert.equal(await billing.countInvoices(organizationId), 1);
    }),
  );
}

function describeSettlement(withOrganization: WithOrganization): void {
  test(
    'an open invoice is overdue after its due date, until it is settled once',
    withOrganization(async ({ billing, platform }, organizationId) => {
      const other = await insertOrganization(platform);
      const invoice = newInvoice(organizationId, { status: 'open', dueAt: at(50) });
      await billing.transaction(OUTSIDE_REQUEST, (tx) => tx.insertInvoice(invoice));
      const overdue = (ms: number) => billing.hasOverdueInvoice(organizationId, at(ms));
      assert.deepEqual([await overdue(50), await overdue(51)], [false, true]);
      assert.equal(await billing.hasOverdueInvoice(other, at(51)), false);
      const settle = (owner: string) =>
        billing.transaction(OUTSIDE_REQUEST, (tx) => tx.settleInvoice(owner, invoice.id));
      assert.equal(await settle(other), null);
      assert.deepEqual(await settle(organizationId), { ...invoice, status: 'paid' });
      assert.equal(await settle(organizationId), null);
      assert.equal(await overdue(51), false);
    }),
  );
}
