import { PLANS } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, oneOf, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { organizationParams } from '../../organizations/http/params.ts';
import { priceOf } from '../ledger.ts';
import { BILLING_CURRENCY, PLAN_TERMS } from '../plans.ts';
import type { Subscriptions, SubscriptionView } from '../subscriptions.ts';
import { SUBSCRIPTION_STATUSES } from '../types.ts';

const subscription = z
  .strictObject({
    id: z.string(),
    organization_id: z.string(),
    plan: z.enum(PLANS),
    status: z.enum(SUBSCRIPTION_STATUSES),
    billing_cycle_start: timestamp,
    billing_cycle_end: timestamp,
    amount: z
      .int()
      .nonnegative()
      .describe(
        'Price of one billing cycle, in minor units of the currency (cents for usd); 0 until a plan is chosen.',
      ),
    currency: z.string(),
    billing_email: z.string().nullable(),
    auto_renew: z.boolean(),
    features: z.strictObject({
      gateway_instances: z.int().nonnegative(),
      sentinel_agents: z.int().nonnegative(),
      api_requests_per_month: z.int().nonnegative(),
      advanced_analytics: z.boolean(),
      custom_integrations: z.boolean(),
    }),
  })
  .meta({ id: 'Subscription' });

const subscriptionChange = z
  .strictObject({
    plan: oneOf(PLANS).optional(),
    auto_renew: z.boolean('must be true or false').optional(),
  })
  .meta({ id: 'SubscriptionChanges' });

/** Endpoints for the subscription; they stay available when the API request quota is spent. */
export function subscriptionEndpoints(subscriptions: Subscriptions): Endpoint[] {
  const shared = {
    path: '/organizations/{org_id}/subscription',
    tag: 'Billing',
    rateLimit: 'platform',
    allowedOverQuota: true,
    params: organizationParams,
  } as const;
  return [
    endpoint({
      ...shared,
      method: 'GET',
      operationId: 'getSubscription',
      summary: 'Get the subscription',
      description: 'Returns the plan, the billing cycle and the limits of the plan.',
      permission: 'subscription:read',
      responses: { 200: { description: 'The subscription', schema: subscription } },
      async handler({ context, reply }) {
        return reply(200, toWire(await subscriptions.get(context)));
      },
    }),
    endpoint({
      ...shared,
      method: 'PATCH',
      operationId: 'updateSubscription',
      summary: 'Change the plan or the automatic renewal',
      description:
        'A new plan takes effect immediately; an invoice credits and charges the rest of the cycle. ' +
        'A plan with limits below the current usage is refused with 409.',
      permission: 'subscription:update',
      body: subscriptionChange,
      errors: ['conflict'],
      responses: { 200: { description: 'The updated subscription', schema: subscription } },
      async handler({ context, body, reply }) {
        const change = { plan: body.plan, autoRenew: body.auto_renew };
        return reply(200, toWire(await subscriptions.update(context, change)));
      },
    }),
  ];
}

function toWire(view: SubscriptionView): z.infer<typeof subscription> {
  const { limits, advancedAnalytics, customIntegrations } = PLAN_TERMS[view.plan];
  return {
    id: view.id,
    organization_id: view.organizationId,
    plan: view.plan,
    status: view.status,
    billing_cycle_start: view.cycleStart.toISOString(),
    billing_cycle_end: view.cycleEnd.toISOString(),
    amount: priceOf(view),
    currency: BILLING_CURRENCY,
    billing_email: view.billingEmail,
    auto_renew: view.autoRenew,
    features: {
      gateway_instances: limits.gatewayInstances,
      sentinel_agents: limits.sentinelAgents,
      api_requests_per_month: limits.apiRequests,
      advanced_analytics: advancedAnalytics,
      custom_integrations: customIntegrations,
    },
  };
}
