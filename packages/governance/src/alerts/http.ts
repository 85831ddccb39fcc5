import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, instant, oneOf, pageQuery } from '@probity/core/koa';
import { z } from 'zod';
import { alertActionEndpoints } from './actions-http.ts';
import type { Alerts } from './alerts.ts';
import {
  alertActionSchema,
  alertCountSchema,
  alertSchema,
  commentSchema,
  toActionWire,
  toCommentWire,
  toWire,
} from './schemas.ts';
import { ALERT_STATUSES, ALERT_TYPES, SEVERITIES } from './types.ts';

const SEARCH = 'must have 1 to 200 characters';

const alertQuery = pageQuery.extend({
  status: oneOf(ALERT_STATUSES).optional(),
  type: oneOf(ALERT_TYPES).optional(),
  severity: oneOf(SEVERITIES).optional(),
  since: instant.optional().describe('Alerts made at this time or later.'),
  until: instant.optional().describe('Alerts made before this time.'),
  scanId: z.string().max(100).optional().describe('Alerts that this scan raised.'),
  assignee: z
    .string()
    .max(200)
    .optional()
    .describe('Alerts that are assigned to the member with this id.'),
  q: z
    .string()
    .min(1, SEARCH)
    .max(200, SEARCH)
    .optional()
    .describe('Alerts whose message or resolution contains this text, in any letter case.'),
  group_by: oneOf(['type'])
    .optional()
    .describe(
      'Counts the alerts by type and hour of creation (UTC), newest hour first, in place of listing them.',
    ),
});

const shared = {
  method: 'GET',
  tag: 'Alerts',
  permission: 'alerts:read',
  rateLimit: 'general',
} as const;

const item = {
  ...shared,
  params: z.strictObject({ alert_id: z.string() }),
} as const;

/** Declares the alert endpoints. */
export function alertEndpoints(alerts: Alerts): Endpoint[] {
  return [listEndpoint(alerts), ...itemEndpoints(alerts), ...alertActionEndpoints(alerts)];
}

function listEndpoint(alerts: Alerts): Endpoint {
  return endpoint({
    ...shared,
    path: '/alerts',
    operationId: 'listAlerts',
    summary: 'List alerts, newest first',
    description:
      'Lists the alerts of the organization, all or those that match every filter; with `group_by=type` it counts them ' +
      'by hour. Scans create alerts.',
    query: alertQuery,
    responses: {
      200: {
        description: 'A page of alerts, or of counts',
        schema: dataList(z.union([alertSchema, alertCountSchema])),
      },
    },
    async handler({ context, query, reply }) {
      const { limit, offset, assignee, q, group_by: isGrouped, ...others } = query;
      const filter = { ...others, assigneeId: assignee, text: q };
      const page = { limit, offset };
      if (isGrouped) {
        const { items, total } = await alerts.countByHour(context, filter, page);
        const data = items.map((each) => ({ ...each, hour: each.hour.toISOString() }));
        return reply(200, { data, ...toPageInfo(query, total) });
      }
      const { items, total } = await alerts.list(context, filter, page);
      return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
    },
  });
}

function itemEndpoints(alerts: Alerts): Endpoint[] {
  return [
    endpoint({
      ...item,
      path: '/alerts/{alert_id}',
      operationId: 'getAlert',
      summary: 'Get an alert',
      description: 'Returns one alert of the organization, with its status and resolution.',
      responses: { 200: { description: 'The alert', schema: dataObject(alertSchema) } },
      async handler({ context, params, reply }) {
        return reply(200, { data: toWire(await alerts.get(context, params.alert_id)) });
      },
    }),
    endpoint({
      ...item,
      path: '/alerts/{alert_id}/history',
      operationId: 'listAlertHistory',
      summary: 'List what was done with an alert',
      description:
        'Lists who acknowledged, assigned, commented and resolved the alert, and when, oldest first.',
      query: pageQuery,
      responses: {
        200: { description: 'A page of the history', schema: dataList(alertActionSchema) },
      },
      async handler({ context, params, query, reply }) {
        const { items, total } = await alerts.history(context, params.alert_id, query);
        return reply(200, { data: items.map(toActionWire), ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      ...item,
      path: '/alerts/{alert_id}/comments',
      operationId: 'listAlertComments',
      summary: 'List the comments on an alert',
      description: 'Lists the comments on an alert, oldest first.',
      query: pageQuery,
      responses: { 200: { description: 'A page of comments', schema: dataList(commentSchema) } },
      async handler({ context, params, query, reply }) {
        const { items, total } = await alerts.comments(context, params.alert_id, query);
        return reply(200, { data: items.map(toCommentWire), ...toPageInfo(query, total) });
      },
    }),
  ];
}
