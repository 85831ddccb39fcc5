import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan } from '@probity/core';
import { PLANS } from '@probity/core';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import type { BillingStep, InvoiceDraft } from '../../src/billing/ledger.ts';
import {
  changePlan,
  openSubscription,
  priceOf,
  renewSubscription,
  unusedValue,
} from '../../src/billing/ledger.ts';
import { PLAN_TERMS } from '../../src/billing/plans.ts';
import type { Subscription } from '../../src/billing/types.ts';

const START = new Date('2026-01-01T00:00:00.000Z');
const DAY_MS = 86_400_000;

function open(plan: Plan, now = START): BillingStep {
  return openSubscription(
    { id: 'sub_1', organizationId: 'org_1', plan, billingEmail: null, isBilled: true },
    now,
  );
}

function after(days: number): Date {
  return new Date(START.getTime() + days * DAY_MS);
}

function amountOf({ lines }: InvoiceDraft): number {
  return lines.reduce((total, { amount }) => total + amount, 0);
}

function amountsOf({ invoices }: BillingStep): number[] {
  return invoices.map(amountOf);
}

test('a paid plan is invoiced from the first day, a free one is not', () => {
  assert.deepEqual(amountsOf(open('professional')), [49_900]);
  assert.deepEqual(amountsOf(open('free')), []);
  assert.equal(open('free').subscription.cycleEnd.toISOString(), '2026-02-01T00:00:00.000Z');
});

test('an upgrade credits the rest of the old plan and charges the rest of the new one', () => {
  const { subscription } = open('starter');
  // 21 of 31 days are left: floor(49900 * 21/31) - floor(4900 * 21/31).
  const step = changePlan(subscription, 'professional', after(10));
  assert.deepEqual(
    step.invoices[0]?.lines.map(({ amount }) => amount),
    [33_803, -3_319],
  );
  assert.deepEqual(amountsOf(step), [30_484]);
  assert.equal(step.subscription.plan, 'professional');
  assert.equal(step.subscription.creditBalance, 0);
  assert.deepEqual(step.subscription.cycleEnd, subscription.cycleEnd);
});

test('a downgrade of a plan costs nothing, and its credit pays for later invoices', () => {
  const down = changePlan(open('professional').subscription, 'starter', after(10));
  assert.deepEqual(amountsOf(down), [0]);
  assert.equal(down.subscription.creditBalance, 30_484);
  const renewed = renewSubscription(down.subscription, after(31));
  assert.deepEqual(amountsOf(renewed), [0]);
  assert.equal(renewed.subscription.creditBalance, 30_484 - 4_900);
  const up = changePlan(renewed.subscription, 'enterprise', after(31));
  assert.deepEqual(amountsOf(up), [499_900 - 4_900 - (30_484 - 4_900)]);
  assert.equal(up.subscription.creditBalance, 0);
});

test('every cycle that has begun is invoiced once, at its start', () => {
  const { subscription } = open('starter');
  const step = renewSubscription(subscription, new Date('2026-04-10T00:00:00.000Z'));
  assert.deepEqual(
    step.invoices.map(({ issuedAt }) => issuedAt.toISOString().slice(0, 10)),
    ['2026-02-01', '2026-03-01', '2026-04-01'],
  );
  assert.deepEqual(amountsOf(step), [4_900, 4_900, 4_900]);
  assert.deepEqual(renewSubscription(step.subscription, after(60)).invoices, []);
});

test('a subscription that does not renew ends with its cycle, canceled and free', () => {
  const ending = { ...open('enterprise').subscription, autoRenew: false };
  const running = renewSubscription(ending, after(30.9)).subscription;
  assert.deepEqual([running.status, running.plan], ['active', 'enterprise']);
  const step = renewSubscription(ending, after(200));
  assert.deepEqual([step.subscription.status, step.subscription.plan], ['canceled', 'free']);
  assert.deepEqual(step.invoices, []);
});

test('a canceled subscription restarts with a whole cycle', () => {
  const ending = { ...open('starter').subscription, autoRenew: false };
  const { subscription } = renewSubscription(ending, after(40));
  const step = changePlan(subscription, 'starter', after(45));
  assert.deepEqual(amountsOf(step), [4_900]);
  assert.deepEqual(
    [step.subscription.status, step.subscription.autoRenew, step.subscription.cycleStart],
    ['active', true, after(45)],
  );
});

test('an ended zero-length cycle, as migrations store it, is followed by the first real one', () => {
  const empty: Subscription = { ...open('starter').subscription, cycleEnd: START };
  const step = renewSubscription(empty, after(5));
  assert.deepEqual(amountsOf(step), [4_900]);
  assert.equal(step.subscription.cycleEnd.toISOString(), '2026-02-01T00:00:00.000Z');
});

const plan = fc.constantFrom(...PLANS);
const moment = fc.integer({ min: 0, max: 31 * DAY_MS - 1 });
const changes = fc
  .array(fc.record({ plan, at: moment }), { maxLength: 20 })
  .map((all) => all.sort((left, right) => left.at - right.at));

test('after any plan changes no invoice or credit is negative, and every unit is accounted for', () => {
  fc.assert(
    fc.property(plan, changes, (first, sequence) => {
      let step = open(first);
      const invoiced = [...amountsOf(step)];
      let used = 0;
      let since = START;
      for (const change of sequence) {
        const at = new Date(START.getTime() + change.at);
        const { subscription } = step;
        used +=
          unusedValue(priceOf(subscription), subscription, since) -
          unusedValue(priceOf(subscription), subscription, at);
        since = at;
        step = changePlan(subscription, change.plan, at);
        assert.equal(step.subscription.plan, change.plan);
        assert.ok(step.subscription.creditBalance >= 0);
        invoiced.push(...amountsOf(step));
      }
      const { subscription } = step;
      used += unusedValue(priceOf(subscription), subscription, since);
      assert.ok(invoiced.every((amount) => Number.isSafeInteger(amount) && amount >= 0));
      const paid = invoiced.reduce((total, amount) => total + amount, 0);
      // The amount paid is the amount used (to the end of the cycle) plus the remaining credit.
      assert.equal(paid, used + subscription.creditBalance);
    }),
    { numRuns: roundsOf(500) },
  );
});

test('part of a cycle costs its share of the price, rounded down to a minor unit', () => {
  fc.assert(
    fc.property(plan, moment, (name, at) => {
      const { subscription } = open(name);
      const share = (PLAN_TERMS[name].price * (31 * DAY_MS - at)) / (31 * DAY_MS);
      const value = unusedValue(
        PLAN_TERMS[name].price,
        subscription,
        new Date(START.getTime() + at),
      );
      assert.ok(Math.abs(value - share) < 1, `${value} ${share}`);
    }),
  );
});

test('a subscription without billing issues no invoice until another plan is chosen', () => {
  const terms = { id: 'sub_1', organizationId: 'org_1', plan: 'enterprise', billingEmail: null };
  const opened = openSubscription({ ...terms, plan: 'enterprise', isBilled: false }, START);
  assert.deepEqual(opened.invoices, []);
  assert.equal(priceOf(opened.subscription), 0);
  const later = new Date(START.getTime() + 400 * DAY_MS);
  const renewed = renewSubscription(opened.subscription, later);
  assert.deepEqual(renewed.invoices, []);
  const { subscription, invoices } = changePlan(opened.subscription, 'starter', START);
  assert.equal(subscription.isBilled, true);
  assert.deepEqual(amountsOf({ subscription, invoices }), [PLAN_TERMS.starter.price]);
});
