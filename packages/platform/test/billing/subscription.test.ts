import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { createSubscriptionRenewer } from '../../src/billing/renewals.ts';
import { targets, testRuntime } from '../support.ts';
import type { BillingWorld, Json } from './world.ts';
import { createBillingWorld } from './world.ts';

const DAY_MS = 86_400_000;

function patch({ send, path }: BillingWorld, body: object) {
  return send('PATCH', `${path}/subscription`, { body });
}

async function get({ send, path }: BillingWorld, what: string): Promise<Json> {
  const { status, body } = await send('GET', `${path}/${what}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function amounts(world: BillingWorld): Promise<number[]> {
  const { invoices } = await get(world, 'invoices');
  return invoices.map(({ amount }: Json) => amount);
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: subscription`, () => {
    test('a new organization has a subscription in the shape of the specification', async (t) => {
      const world = await createBillingWorld(t, target);
      const { id, ...rest } = await get(world, 'subscription');
      assert.match(id, /^sub_/);
      assert.deepEqual(rest, {
        organization_id: world.organization.organizationId,
        plan: 'professional',
        status: 'active',
        billing_cycle_start: '2026-01-01T00:00:00.000Z',
        billing_cycle_end: '2026-02-01T00:00:00.000Z',
        amount: 49_900,
        currency: 'usd',
        billing_email: 'owner@example.com',
        auto_renew: true,
        features: {
          gateway_instances: 10,
          sentinel_agents: 50,
          api_requests_per_month: 2_000_000,
          advanced_analytics: true,
          custom_integrations: false,
        },
      });
    });

    test('a plan change applies at once, to the organization too, with an invoice for the rest of the cycle', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'starter' });
      await world.clock.advance(10 * DAY_MS);
      const { status, body } = await patch(world, { plan: 'professional', auto_renew: false });
      assert.equal(status, 200);
      assert.deepEqual([body.plan, body.amount, body.auto_renew], ['professional', 49_900, false]);
      assert.equal(body.billing_cycle_end, '2026-02-01T00:00:00.000Z');
      const detail = await world.send('GET', world.path);
      assert.equal(detail.body.plan, 'professional');
      assert.deepEqual(await amounts(world), [30_484, 4_900]);
    });

    test('a subscription change is recorded in the audit log, a PATCH that changes nothing is not', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'starter' });
      assert.equal((await patch(world, {})).status, 200);
      assert.equal((await patch(world, { plan: 'starter', auto_renew: true })).status, 200);
      await patch(world, { auto_renew: false });
      const { audit_log: entries } = await get(world, 'audit-log?action=subscription.updated');
      assert.equal(entries.length, 1);
      assert.deepEqual(entries[0].before, { auto_renew: true });
      assert.deepEqual(entries[0].after, { auto_renew: false });
      assert.deepEqual(await amounts(world), [4_900]);
    });

    test('subscription fields that customers cannot set are refused by name', async (t) => {
      const world = await createBillingWorld(t, target);
      for (const body of [
        { amount: 0 },
        { status: 'active' },
        { plan: 'gold' },
        { auto_renew: 1 },
      ]) {
        const answer = await patch(world, body);
        assert.equal(answer.status, 400);
        assert.equal(answer.body.error, 'invalid_request');
        assert.equal(answer.body.details[0].field, Object.keys(body)[0]);
      }
    });

    test('a change to a plan whose limits are below present use is refused and changes nothing', async (t) => {
      const world = await createBillingWorld(t, target);
      for (const id of ['one', 'two', 'three']) {
        const body = { kind: 'gateway', instance_id: id, version: '1.0.0' };
        assert.equal(
          (await world.send('POST', '/api/v1/instances/heartbeat', { body })).status,
          200,
        );
      }
      const refused = await patch(world, { plan: 'starter', auto_renew: false });
      assert.equal(refused.status, 409);
      assert.equal(refused.body.error, 'conflict');
      assert.match(refused.body.message, /gateway_instances is at 3 of 2/);
      const kept = await get(world, 'subscription');
      assert.deepEqual([kept.plan, kept.auto_renew], ['professional', true]);
      await world.clock.advance(5 * 60_000);
      assert.equal((await patch(world, { plan: 'starter' })).status, 200);
    });

    test('requests made count as present use of the plan, unspent quota leases do not', async (t) => {
      const world = await createBillingWorld(t, target);
      for (let call = 0; call < 30; call += 1) await world.send('GET', world.path);
      assert.equal((await patch(world, { plan: 'free' })).status, 200);
      const used = (await get(world, 'usage')).api_requests;
      assert.deepEqual(used, { limit: 1_000, used: 32 });
      const { organizationId } = world.organization;
      const { services } = world;
      await patch(world, { plan: 'professional' });
      const principal = {
        organizationId,
        memberId: 'mem_1',
        keyId: 'key_1',
        role: 'owner',
        plan: 'professional',
      } as const;
      await world.meter.spend(principal, 'api_requests', 1_000);
      const refused = await patch(world, { plan: 'free' });
      assert.equal(refused.status, 409);
      assert.match(refused.body.message, /api_requests is at \d+ of 1000/);
      assert.ok(services.usage);
    });

    test('an ended billing cycle is followed by the next with one invoice, whichever instance reads first', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'starter' });
      await world.clock.advance(31 * DAY_MS);
      const [first] = await Promise.all([
        get(world, 'subscription'),
        get(world, 'subscription'),
        world.services.subscriptions.renewEnded(),
      ]);
      assert.equal(first.billing_cycle_start, '2026-02-01T00:00:00.000Z');
      assert.equal(first.billing_cycle_end, '2026-03-01T00:00:00.000Z');
      assert.deepEqual(await amounts(world), [4_900, 4_900]);
      assert.equal(await world.services.subscriptions.renewEnded(), 0);
    });

    test('the renewer renews ended subscriptions without a request, and cancels those that do not renew', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'starter' });
      await patch(world, { auto_renew: false });
      const { subscriptions } = world.services;
      const runtime = testRuntime({ database: world.opened.database, clock: world.clock });
      const intervalMs = DAY_MS / 4;
      const renewer = createSubscriptionRenewer(runtime, { subscriptions, intervalMs });
      await renewer.start();
      await world.clock.advance(30 * DAY_MS);
      const { organizationId } = world.organization;
      assert.equal((await world.opened.storage.findSubscription(organizationId))?.status, 'active');
      await world.clock.advance(DAY_MS);
      await renewer.stop();
      await world.services.subscriptions.renewEnded();
      const ended = await world.opened.storage.findSubscription(organizationId);
      assert.deepEqual([ended?.status, ended?.plan], ['canceled', 'free']);
      const again = await patch(world, { plan: 'starter' });
      assert.deepEqual(
        [again.body.status, again.body.plan, again.body.auto_renew],
        ['active', 'starter', true],
      );
      assert.deepEqual(await amounts(world), [4_900, 4_900]);
    });

    test('parallel plan changes leave one plan, and invoices numbered without gaps', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'free' });
      const instances = [world, world.other ?? world];
      const plans = ['starter', 'professional', 'enterprise', 'starter', 'enterprise', 'free'];
      const answers = await Promise.all(
        plans.map((plan, index) =>
          (instances[index % 2] as BillingWorld).send('PATCH', `${world.path}/subscription`, {
            body: { plan },
          }),
        ),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      const { plan } = await get(world, 'subscription');
      assert.equal((await world.send('GET', world.path)).body.plan, plan);
      const { organizationId } = world.organization;
      const { items, total } = await world.opened.storage.listInvoices(organizationId, {
        limit: 50,
        offset: 0,
      });
      assert.deepEqual(
        items.map(({ sequence }) => sequence),
        Array.from({ length: total }, (_, index) => total - index),
      );
      const stored = await world.opened.storage.findSubscription(organizationId);
      const paid = items.reduce((sum, { amount }) => sum + amount, 0);
      const prices = { free: 0, starter: 4_900, professional: 49_900, enterprise: 499_900 };
      // No time has passed: the amount paid is the price of the remaining plan plus the credit.
      assert.equal(paid - (stored?.creditBalance ?? 0), prices[plan as keyof typeof prices]);
    });

    test('an open invoice makes the subscription past due, until the host settles it', async (t) => {
      const world = await createBillingWorld(t, target, { plan: 'free', settlement: 'by_host' });
      await patch(world, { plan: 'starter' });
      const { invoices } = await get(world, 'invoices');
      assert.deepEqual([invoices[0].status, invoices[0].due_date], ['open', '2026-01-31']);
      assert.equal((await get(world, 'subscription')).status, 'active');
      await world.clock.advance(30 * DAY_MS + 1);
      assert.equal((await get(world, 'subscription')).status, 'past_due');
      const { organizationId } = world.organization;
      await world.services.invoices.settle(organizationId, invoices[0].id);
      assert.equal((await get(world, 'subscription')).status, 'active');
      await assert.rejects(world.services.invoices.settle(organizationId, invoices[0].id), {
        kind: 'conflict',
      });
      await assert.rejects(world.services.invoices.settle(organizationId, 'ivc_none'), {
        kind: 'not_found',
      });
    });
  });
}
