import type {
  AuditFields,
  AuditTarget,
  CallContext,
  Plan,
  Runtime,
  Storage,
  TransactionOf,
} from '@probity/core';
import { notFound, OUTSIDE_REQUEST } from '@probity/core';
import { changedFields } from '@probity/core/internal';
import type { OrganizationReads } from '../organizations/storage.ts';
import type { InstanceReads, UsageReads } from '../usage/storage.ts';
import type { PlanLimitChecks } from '../usage/usage.ts';
import type { Settlement } from './invoicing.ts';
import { toInvoices } from './invoicing.ts';
import type { BillingStep } from './ledger.ts';
import { changePlan, renewSubscription } from './ledger.ts';
import type {
  InvoiceReads,
  InvoiceWrites,
  SubscriptionReads,
  SubscriptionWrites,
} from './storage.ts';
import type { Subscription, SubscriptionStatus } from './types.ts';

/** A subscription with the status derived from its invoices. */
export interface SubscriptionView extends Omit<Subscription, 'status'> {
  readonly status: SubscriptionStatus;
}

/** Fields that a PATCH of a subscription may change. */
export interface SubscriptionChange {
  readonly plan?: Plan | undefined;
  readonly autoRenew?: boolean | undefined;
}

/** The subscription of an organization. */
export interface Subscriptions {
  /** @throws ProbityError `not_found` when the organization has none */
  get(context: CallContext): Promise<SubscriptionView>;
  /**
   * Changes the plan at once, with an invoice for the rest of the cycle, and whether the
   * subscription renews.
   *
   * @throws ProbityError `conflict` when present use exceeds the limits of the requested plan
   */
  update(context: CallContext, change: SubscriptionChange): Promise<SubscriptionView>;
  /** Advances subscriptions whose cycle has ended to the present cycle; returns how many. */
  renewEnded(): Promise<number>;
}

type SubscriptionStorage = Storage<
  SubscriptionReads & InvoiceReads & OrganizationReads & UsageReads & InstanceReads,
  SubscriptionWrites & InvoiceWrites
>;
type Tx = TransactionOf<SubscriptionStorage>;

/** Dependencies of the subscription service. */
export interface SubscriptionOptions {
  readonly storage: SubscriptionStorage;
  readonly settlement: Settlement;
  /** Checks present use against the limits of a new plan. */
  readonly usage: PlanLimitChecks;
}

const RENEWAL_BATCH = 100;

/** Creates the subscription service. */
export function createSubscriptions(runtime: Runtime, options: SubscriptionOptions): Subscriptions {
  const { clock, audit } = runtime;
  const { storage, usage } = options;

  async function view(
    subscription: Subscription,
    reads: SubscriptionReads & InvoiceReads,
  ): Promise<SubscriptionView> {
    const { organizationId, status } = subscription;
    const isOverdue =
      status === 'active' && (await reads.hasOverdueInvoice(organizationId, clock.now()));
    return { ...subscription, status: isOverdue ? 'past_due' : status };
  }

  /** Advances a subscription to its present cycle and returns it. */
  async function renew(tx: Tx, before: Subscription): Promise<Subscription> {
    const now = clock.now();
    if (!hasEnded(before, now)) return before;
    const step = renewSubscription(before, now);
    const after = step.subscription;
    await writeBillingStep(tx, runtime, options, step);
    const { organizationId } = before;
    const action = after.status === 'active' ? 'subscription.renewed' : 'subscription.canceled';
    const difference = changedFields(toAuditFields(before), toAuditFields(after));
    const by = { organizationId, system: 'billing' };
    await audit.record(tx, by, action, targetOf(before), difference);
    return after;
  }

  function renewIfEnded(organizationId: string): Promise<boolean> {
    return storage.withTenantLock(OUTSIDE_REQUEST, organizationId, async (tx) => {
      const subscription = await tx.findSubscription(organizationId);
      if (!subscription || !hasEnded(subscription, clock.now())) return false;
      await renew(tx, subscription);
      return true;
    });
  }

  /** Applies a change to the subscription; writes nothing when nothing changes. */
  async function applyChange(
    tx: Tx,
    context: CallContext,
    before: Subscription,
    { plan = before.plan, autoRenew }: SubscriptionChange,
  ): Promise<Subscription> {
    const isNewPlan = plan !== before.plan || (before.status === 'canceled' && autoRenew === true);
    const { subscription, invoices } = isNewPlan
      ? changePlan(before, plan, clock.now())
      : { subscription: before, invoices: [] };
    const after = { ...subscription, autoRenew: autoRenew ?? subscription.autoRenew };
    const difference = changedFields(toAuditFields(before), toAuditFields(after));
    if (Object.keys(difference.after).length === 0) return before;
    await writeBillingStep(tx, runtime, options, { subscription: after, invoices });
    await audit.record(tx, context, 'subscription.updated', targetOf(before), difference);
    return after;
  }

  return {
    async get(context) {
      const { organizationId } = context.principal;
      const subscription = await requireSubscription(storage, organizationId);
      if (!hasEnded(subscription, clock.now())) return view(subscription, storage);
      await renewIfEnded(organizationId);
      return view(await requireSubscription(storage, organizationId), storage);
    },

    async update(context, change) {
      const { organizationId } = context.principal;
      const { plan } = change;
      const storageGb = plan ? await usage.measureStorage(organizationId) : 0;
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const before = await renew(tx, await requireSubscription(tx, organizationId));
        if (plan && plan !== before.plan) {
          await usage.checkPlanLimits(tx, organizationId, plan, storageGb);
        }
        return view(await applyChange(tx, context, before, change), tx);
      });
    },

    async renewEnded() {
      const ended = await storage.listEndedCycles(clock.now(), RENEWAL_BATCH);
      let renewed = 0;
      for (const organizationId of ended) if (await renewIfEnded(organizationId)) renewed += 1;
      return renewed;
    },
  };
}

/** Stores a subscription and the invoices of a step, under the tenant's lock. */
async function writeBillingStep(
  tx: Tx,
  { ids }: Runtime,
  { settlement }: SubscriptionOptions,
  { subscription, invoices }: BillingStep,
): Promise<void> {
  const { organizationId, billingEmail } = subscription;
  await tx.updateSubscription(subscription);
  if (invoices.length === 0) return;
  const invoiceCount = await tx.countInvoices(organizationId);
  const organization = await tx.findOrganization(organizationId);
  const billedTo = organization?.name ?? organizationId;
  const addressee = { organizationId, billedTo, billingEmail, invoiceCount };
  for (const invoice of toInvoices(invoices, addressee, { ids, settlement })) {
    await tx.insertInvoice(invoice);
  }
}

function targetOf({ id }: Subscription): AuditTarget {
  return { type: 'subscription', id };
}

function hasEnded({ status, cycleEnd }: Subscription, now: Date): boolean {
  return status === 'active' && cycleEnd <= now;
}

async function requireSubscription(
  reads: SubscriptionReads,
  organizationId: string,
): Promise<Subscription> {
  const subscription = await reads.findSubscription(organizationId);
  if (!subscription) throw notFound('subscription');
  return subscription;
}

function toAuditFields(subscription: Subscription): AuditFields {
  return {
    plan: subscription.plan,
    status: subscription.status,
    auto_renew: subscription.autoRenew,
    billed: subscription.isBilled,
    billing_cycle_start: subscription.cycleStart.toISOString(),
    billing_cycle_end: subscription.cycleEnd.toISOString(),
    credit_balance: subscription.creditBalance,
  };
}
