import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, oneOf, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { Alerts } from './alerts.ts';
import type { Alert } from './types.ts';
import { ALERT_STATUSES, ALERT_TYPES, SEVERITIES } from './types.ts';

const alertSchema = z
  .strictObject({
    id: z.string(),
    type: z.enum(ALERT_TYPES),
    severity: z.enum(SEVERITIES),
    status: z.enum(ALERT_STATUSES),
    message: z.string(),
    scanId: z.string(),
    createdAt: timestamp,
    resolvedAt: timestamp.nullable(),
    resolution: z.string().nullable(),
  })
  .meta({ id: 'Alert' });

const alertQuery = pageQuery.extend({
  status: oneOf(ALERT_STATUSES).optional(),
  type: oneOf(ALERT_TYPES).optional(),
  severity: oneOf(SEVERITIES).optional(),
});

/** Declares the alert endpoints. */
export function alertEndpoints(alerts: Alerts): Endpoint[] {
  const shared = {
    method: 'GET',
    tag: 'Alerts',
    permission: 'alerts:read',
    rateLimit: 'general',
  } as const;
  return [
    endpoint({
      ...shared,
      path: '/alerts',
      operationId: 'listAlerts',
      summary: 'List alerts, newest first',
      description:
        'Lists the alerts of the organization, all or those that match the filters. Scans create alerts.',
      query: alertQuery,
      responses: { 200: { description: 'A page of alerts', schema: dataList(alertSchema) } },
      async handler({ context, query, reply }) {
        const { limit, offset, ...filter } = query;
        const { items, total } = await alerts.list(context, filter, { limit, offset });
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      ...shared,
      path: '/alerts/{alert_id}',
      operationId: 'getAlert',
      summary: 'Get an alert',
      description: 'Returns one alert of the organization, with its status and resolution.',
      params: z.strictObject({ alert_id: z.string() }),
      responses: { 200: { description: 'The alert', schema: dataObject(alertSchema) } },
      async handler({ context, params, reply }) {
        return reply(200, { data: toWire(await alerts.get(context, params.alert_id)) });
      },
    }),
  ];
}

function toWire(alert: Alert): z.infer<typeof alertSchema> {
  return {
    id: alert.id,
    type: alert.type,
    severity: alert.severity,
    status: alert.status,
    message: alert.message,
    scanId: alert.scanId,
    createdAt: alert.createdAt.toISOString(),
    resolvedAt: alert.resolvedAt?.toISOString() ?? null,
    resolution: alert.resolution,
  };
}
