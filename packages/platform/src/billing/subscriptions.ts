import type {
  AuditFields,
  CallContext,
  Clock,
  Ids,
  KernelOperations,
  Plan,
  Session,
} from '@probity/core';
import { notFound, OUTSIDE_REQUEST } from '@probity/core';
import { auditOf, changedFields, systemAuditOf } from '@probity/core/internal';
import type { PlatformReads, PlatformStorage } from '../organizations/storage.ts';
import type { Settlement } from './invoicing.ts';
import { toInvoices } from './invoicing.ts';
import type { BillingStep } from './ledger.ts';
import { changePlan, renewSubscription } from './ledger.ts';
import type { BillingReads, BillingStorage, BillingWrites } from './storage.ts';
import type { Subscription, SubscriptionStatus } from './types.ts';

/** A subscription with the status that follows from its invoices. */
export interface SubscriptionView extends Omit<Subscription, 'status'> {
  readonly status: SubscriptionStatus;
}

/** What a PATCH of a subscription may change. */
export interface SubscriptionChange {
  readonly plan?: Plan | undefined;
  readonly autoRenew?: boolean | undefined;
}

/** Subscriptions of organizations. */
export interface Subscriptions {
  /** @throws ProbityError `not_found` where the organization has none */
  get(context: CallContext): Promise<SubscriptionView>;
  /**
   * Changes the plan at once, with an invoice over the rest of the cycle, and whether the
   * subscription renews.
   *
   * @throws ProbityError `conflict` when present use is above the limits of the plan asked for
   */
  update(context: CallContext, change: SubscriptionChange): Promise<SubscriptionView>;
  /** Moves subscriptions whose cycle has ended on to the present one; answers how many. */
  renewEnded(): Promise<number>;
}

/** What the service needs. */
export interface SubscriptionDependencies {
  readonly storage: BillingStorage;
  readonly platform: PlatformStorage;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly settlement: Settlement;
  /**
   * Gives a check that the organization's present use fits a plan; asked for before the
   * transaction, and called within it.
   */
  prepareFit(organizationId: string): Promise<PlanFit>;
}

/** @throws ProbityError `conflict` that names what does not fit `plan` */
type PlanFit = (plan: Plan, session: Session) => Promise<void>;

type BillingTx = BillingReads & BillingWrites & KernelOperations;
const RENEWAL_BATCH = 100;

/** Creates the service over subscriptions. */
export function createSubscriptions(dependencies: SubscriptionDependencies): Subscriptions {
  const { storage, clock } = dependencies;
  const books = createBooks(dependencies);

  async function view(subscription: Subscription, reads: BillingReads): Promise<SubscriptionView> {
    const { organizationId, status } = subscription;
    const isOverdue =
      status === 'active' && (await reads.hasOverdueInvoice(organizationId, clock.now()));
    return { ...subscription, status: isOverdue ? 'past_due' : status };
  }

  function renew(organizationId: string): Promise<boolean> {
    return storage.withTenantLock(OUTSIDE_REQUEST, organizationId, async (tx) => {
      const subscription = await tx.findSubscription(organizationId);
      if (!subscription || !hasEnded(subscription, clock.now())) return false;
      await books.renew(tx, subscription);
      return true;
    });
  }

  return {
    async get(context) {
      const { organizationId } = context.principal;
      const found = await findSubscription(storage, organizationId);
      if (!hasEnded(found, clock.now())) return view(found, storage);
      await renew(organizationId);
      return view(await findSubscription(storage, organizationId), storage);
    },

    async update(context, change) {
      const { organizationId } = context.principal;
      const checkFit = change.plan && (await dependencies.prepareFit(organizationId));
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const found = await findSubscription(tx, organizationId);
        const before = await books.renew(tx, found);
        if (change.plan && checkFit && change.plan !== before.plan) {
          await checkFit(change.plan, tx.session);
        }
        return view(await books.change(tx, before, change, context), tx);
      });
    },

    async renewEnded() {
      const ended = await storage.listEndedCycles(clock.now(), RENEWAL_BATCH);
      let renewed = 0;
      for (const organizationId of ended) if (await renew(organizationId)) renewed += 1;
      return renewed;
    },
  };
}

/** What is written about a subscription within a transaction under the organization's lock. */
function createBooks({ platform, ids, clock, settlement }: SubscriptionDependencies) {
  async function write(tx: BillingTx, { subscription, invoices }: BillingStep): Promise<void> {
    const { organizationId, billingEmail } = subscription;
    await tx.updateSubscription(subscription);
    if (invoices.length === 0) return;
    const invoiceCount = await tx.countInvoices(organizationId);
    const billedTo = await nameOf(tx, organizationId);
    const addressee = { organizationId, billedTo, billingEmail, invoiceCount };
    for (const invoice of toInvoices(invoices, addressee, { ids, settlement })) {
      await tx.insertInvoice(invoice);
    }
  }

  function nameOf(tx: BillingTx, organizationId: string): Promise<string> {
    const read = (reads: PlatformReads) => reads.findOrganization(organizationId);
    return platform
      .transaction({ session: tx.session }, read)
      .then((organization) => organization?.name ?? organizationId);
  }

  return {
    /** The subscription in its present cycle. */
    async renew(tx: BillingTx, before: Subscription): Promise<Subscription> {
      const now = clock.now();
      if (!hasEnded(before, now)) return before;
      const step = renewSubscription(before, now);
      const after = step.subscription;
      await write(tx, step);
      await tx.recordAudit(
        systemAuditOf('billing', before.organizationId, {
          id: ids.next('aud'),
          action: after.status === 'active' ? 'subscription.renewed' : 'subscription.canceled',
          target: { type: 'subscription', id: before.id },
          ...changedFields(toAuditFields(before), toAuditFields(after)),
          createdAt: now,
        }),
      );
      return after;
    },

    /** The subscription after a call's change; nothing is written where nothing changes. */
    async change(
      tx: BillingTx,
      before: Subscription,
      { plan = before.plan, autoRenew }: SubscriptionChange,
      context: CallContext,
    ): Promise<Subscription> {
      const now = clock.now();
      const isWanted = plan !== before.plan || (before.status === 'canceled' && autoRenew === true);
      const step = isWanted
        ? changePlan(before, plan, now)
        : { subscription: before, invoices: [] };
      const after = { ...step.subscription, autoRenew: autoRenew ?? step.subscription.autoRenew };
      const changed = changedFields(toAuditFields(before), toAuditFields(after));
      if (Object.keys(changed.after).length === 0) return before;
      await write(tx, { subscription: after, invoices: step.invoices });
      await tx.recordAudit(
        auditOf(context, {
          id: ids.next('aud'),
          action: 'subscription.updated',
          target: { type: 'subscription', id: before.id },
          ...changed,
          createdAt: now,
        }),
      );
      return after;
    },
  };
}

function hasEnded({ status, cycleEnd }: Subscription, now: Date): boolean {
  return status === 'active' && cycleEnd <= now;
}

async function findSubscription(
  reads: BillingReads,
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
    billing_cycle_start: subscription.cycleStart.toISOString(),
    billing_cycle_end: subscription.cycleEnd.toISOString(),
    credit_balance: subscription.creditBalance,
  };
}
