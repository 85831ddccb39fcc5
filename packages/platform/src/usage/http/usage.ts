import type { Endpoint } from '@probity/core/koa';
import { endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { PlanLimits } from '../../billing/plans.ts';
import { organizationParams } from '../../organizations/http/params.ts';
import type { Usage, UsageReport } from '../usage.ts';

const quota = z
  .strictObject({ limit: z.int().nonnegative(), used: z.int().nonnegative() })
  .meta({ id: 'QuotaUse' });

const usageReport = z
  .strictObject({
    period: z.strictObject({
      start: z.iso.date().describe('First day of the month, in UTC.'),
      end: z.iso.date().describe('Last day of the month, in UTC.'),
    }),
    gateway_instances: quota,
    sentinel_agents: quota,
    api_requests: quota,
    gateway_scans: quota,
    storage_gb: quota,
  })
  .meta({ id: 'UsageReport' });

/** The endpoint for usage; it stays available when the API request quota is spent. */
export function usageEndpoints(usage: Usage): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/organizations/{org_id}/usage',
      operationId: 'getUsage',
      summary: "Get this month's usage of the plan's quotas",
      description:
        'Returns the limit and the usage of each quota in the current calendar month, in UTC.',
      tag: 'Billing',
      permission: 'usage:read',
      rateLimit: 'platform',
      allowedOverQuota: true,
      params: organizationParams,
      responses: { 200: { description: 'The limit and usage of each quota', schema: usageReport } },
      async handler({ context, reply }) {
        return reply(200, toWire(await usage.report(context)));
      },
    }),
  ];
}

function toWire({ period, limits, used }: UsageReport): z.infer<typeof usageReport> {
  const toQuota = (name: keyof PlanLimits) => ({ limit: limits[name], used: used[name] });
  const lastDay = new Date(period.end.getTime() - 1);
  return {
    period: {
      start: period.start.toISOString().slice(0, 10),
      end: lastDay.toISOString().slice(0, 10),
    },
    gateway_instances: toQuota('gatewayInstances'),
    sentinel_agents: toQuota('sentinelAgents'),
    api_requests: toQuota('apiRequests'),
    gateway_scans: toQuota('gatewayScans'),
    storage_gb: toQuota('storageGb'),
  };
}
