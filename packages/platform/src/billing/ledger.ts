import type { Plan } from '@probity/core';
import { addMonths, cycleEndAfter } from './cycles.ts';
import { PLAN_TERMS } from './plans.ts';
import type { InvoiceLine, Subscription } from './types.ts';

/** The content of an invoice that has no number yet. */
export interface InvoiceDraft {
  /** Their sum is the amount due, which is never negative. */
  readonly lines: readonly InvoiceLine[];
  readonly issuedAt: Date;
}

/** A subscription after a billing step, and the invoices that the step issues. */
export interface BillingStep {
  readonly subscription: Subscription;
  readonly invoices: readonly InvoiceDraft[];
}

/** Monthly price of a subscription in minor units; 0 where billing is off. */
export function priceOf({ plan, isBilled }: Pick<Subscription, 'plan' | 'isBilled'>): number {
  return isBilled ? PLAN_TERMS[plan].price : 0;
}

/** Opens a subscription on a plan; its first cycle begins at `now`. */
export function openSubscription(
  terms: Pick<Subscription, 'id' | 'organizationId' | 'plan' | 'billingEmail' | 'isBilled'>,
  now: Date,
): BillingStep {
  const cycle = { anchor: now, cycleStart: now, cycleEnd: addMonths(now, 1) };
  return chargeCycle({ ...terms, ...cycle, status: 'active', autoRenew: true, creditBalance: 0 });
}

/**
 * Advances a subscription to the cycle that contains `now`: each cycle begun is charged in full. A
 * subscription that does not renew ends with its cycle, canceled and on the free plan.
 */
export function renewSubscription(subscription: Subscription, now: Date): BillingStep {
  const invoices: InvoiceDraft[] = [];
  let current = subscription;
  while (current.status === 'active' && current.cycleEnd <= now) {
    if (!current.autoRenew) {
      current = { ...current, status: 'canceled', plan: 'free' };
      break;
    }
    const cycleStart = current.cycleEnd;
    const cycleEnd = cycleEndAfter(current.anchor, cycleStart);
    const step = chargeCycle({ ...current, cycleStart, cycleEnd });
    current = step.subscription;
    invoices.push(...step.invoices);
  }
  return { subscription: current, invoices };
}

/**
 * Changes the plan of a running cycle immediately: the rest of the cycle is credited at the old
 * price and charged at the new one. A canceled subscription restarts with a cycle from `now` on.
 * Another plan switches billing on. The cycle must contain `now`; see {@link renewSubscription}.
 */
export function changePlan(subscription: Subscription, plan: Plan, now: Date): BillingStep {
  const isBilled = subscription.isBilled || plan !== subscription.plan;
  const changed = { ...subscription, plan, isBilled };
  if (subscription.status === 'canceled') {
    const cycle = { anchor: now, cycleStart: now, cycleEnd: addMonths(now, 1) };
    return chargeCycle({ ...changed, ...cycle, status: 'active', autoRenew: true });
  }
  if (plan === subscription.plan) return { subscription, invoices: [] };
  const rest = `${toDay(now)} to ${toDay(subscription.cycleEnd)}`;
  const credit = unusedValue(priceOf(subscription), subscription, now);
  const charge = unusedValue(priceOf(changed), subscription, now);
  return settle(changed, now, [
    { description: `${planName(plan)} plan, ${rest}`, amount: charge },
    { description: `Unused ${planName(subscription.plan)} plan, ${rest}`, amount: -credit },
  ]);
}

/**
 * Value of the rest of a cycle at `now` for a monthly price, in minor units, rounded down. All charges and credits are
 * differences of this one function, so the total for a cycle is exact however often the plan
 * changes within it.
 */
export function unusedValue(
  price: number,
  { cycleStart, cycleEnd }: Pick<Subscription, 'cycleStart' | 'cycleEnd'>,
  now: Date,
): number {
  const length = BigInt(cycleEnd.getTime() - cycleStart.getTime());
  const left = BigInt(Math.max(0, cycleEnd.getTime() - now.getTime()));
  return length === 0n ? 0 : Number((BigInt(price) * left) / length);
}

function chargeCycle(subscription: Subscription): BillingStep {
  const { plan, cycleStart, cycleEnd } = subscription;
  const description = `${planName(plan)} plan, ${toDay(cycleStart)} to ${toDay(cycleEnd)}`;
  return settle(subscription, cycleStart, [{ description, amount: priceOf(subscription) }]);
}

/**
 * Drafts an invoice for `lines`, or none when there are no lines. An amount that would make it
 * negative is kept as credit and used up by later invoices.
 */
function settle(
  subscription: Subscription,
  issuedAt: Date,
  proposed: readonly InvoiceLine[],
): BillingStep {
  const lines = proposed.filter(({ amount }) => amount !== 0);
  if (lines.length === 0) return { subscription, invoices: [] };
  const sum = lines.reduce((total, { amount }) => total + amount, 0);
  const used = Math.min(subscription.creditBalance, Math.max(0, sum));
  const kept = Math.max(0, -sum);
  if (used > 0) lines.push({ description: 'Credit from earlier invoices', amount: -used });
  if (kept > 0) lines.push({ description: 'Credit kept for later invoices', amount: kept });
  const creditBalance = subscription.creditBalance - used + kept;
  return { subscription: { ...subscription, creditBalance }, invoices: [{ lines, issuedAt }] };
}

function planName(plan: Plan): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}

function toDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}
