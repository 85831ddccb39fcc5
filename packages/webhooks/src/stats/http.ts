import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { Deliveries } from '../deliveries/deliveries.ts';
import { portalOfWebhook } from '../portal/access.ts';
import type { AttemptSummary } from './types.ts';

const duration = z.int().nonnegative().nullable();

const summary = z
  .strictObject({
    since: timestamp.describe('The beginning of the period.'),
    attempts: z.int().nonnegative(),
    succeeded: z.int().nonnegative(),
    successRate: z.number().min(0).max(1).nullable().describe('Null without attempts.'),
    p50DurationMs: duration.describe('The median, as an estimate; null without attempts.'),
    p95DurationMs: duration.describe('The 95th percentile, as an estimate.'),
  })
  .meta({ id: 'AttemptSummary' });

const stats = z
  .strictObject({
    last24Hours: summary,
    last7Days: summary,
    hours: z.array(summary).describe('Each hour of the 7 days, oldest first.'),
  })
  .meta({ id: 'WebhookStats' });

/** Declares the endpoint for the statistics of a webhook. */
export function statEndpoints(deliveries: Deliveries): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/webhooks/{webhook_id}/stats',
      operationId: 'getWebhookStats',
      summary: 'Get the statistics of a webhook',
      description:
        'Counts the attempts of the last 24 hours, of the last 7 days and of each hour, with the share ' +
        'that succeeded and their durations. The present hour counts as one; tests are left out.',
      tag: 'Webhooks',
      permission: 'webhooks:read',
      scoped: portalOfWebhook('view'),
      rateLimit: 'general',
      params: z.strictObject({ webhook_id: z.string() }),
      responses: { 200: { description: 'The statistics', schema: dataObject(stats) } },
      async handler({ context, params, reply }) {
        const { last24Hours, last7Days, hours } = await deliveries.stats(
          context,
          params.webhook_id,
        );
        const data = {
          last24Hours: toWire(last24Hours),
          last7Days: toWire(last7Days),
          hours: hours.map(toWire),
        };
        return reply(200, { data });
      },
    }),
  ];
}

function toWire({ since, ...counts }: AttemptSummary): z.infer<typeof summary> {
  return { since: since.toISOString(), ...counts };
}
