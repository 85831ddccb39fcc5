import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { AlertActions } from './actions.ts';
import {
  acknowledgmentsBody,
  assignmentBody,
  assignmentsBody,
  commentBody,
  resolutionBody,
  resolutionsBody,
} from './input.ts';
import {
  alertChangesSchema,
  alertSchema,
  commentSchema,
  toChangesWire,
  toCommentWire,
  toWire,
} from './schemas.ts';

const shared = {
  method: 'POST',
  tag: 'Alerts',
  permission: 'alerts:write',
  rateLimit: 'general',
} as const;

const item = {
  ...shared,
  params: z.strictObject({ alert_id: z.string() }),
} as const;

const one = { 200: { description: 'The alert', schema: dataObject(alertSchema) } } as const;
const several = {
  200: { description: 'What became of each alert', schema: dataObject(alertChangesSchema) },
} as const;

const OF_SEVERAL =
  'Those that can be changed are, in one transaction; the response says what became of each id.';

/** Declares the endpoints that change alerts. */
export function alertActionEndpoints(alerts: AlertActions): Endpoint[] {
  return [...singleEndpoints(alerts), ...severalEndpoints(alerts)];
}

function singleEndpoints(alerts: AlertActions): Endpoint[] {
  return [
    endpoint({
      ...item,
      path: '/alerts/{alert_id}/resolve',
      operationId: 'resolveAlert',
      summary: 'Resolve an alert',
      description:
        'Resolves an alert and emits `alert.resolved`. Of several concurrent calls one does; the others, and every later ' +
        'one, are refused with 409.',
      body: resolutionBody,
      responses: one,
      errors: ['conflict'],
      async handler({ context, params, body, reply }) {
        return reply(200, { data: toWire(await alerts.resolve(context, params.alert_id, body)) });
      },
    }),
    endpoint({
      ...item,
      path: '/alerts/{alert_id}/acknowledge',
      operationId: 'acknowledgeAlert',
      summary: 'Acknowledge an alert',
      description:
        'Notes that the caller has seen the alert. Who was first stays; a later call changes nothing. A resolved alert is ' +
        'refused with 409.',
      responses: one,
      errors: ['conflict'],
      async handler({ context, params, reply }) {
        return reply(200, { data: toWire(await alerts.acknowledge(context, params.alert_id)) });
      },
    }),
    endpoint({
      ...item,
      path: '/alerts/{alert_id}/assign',
      operationId: 'assignAlert',
      summary: 'Assign an alert',
      description:
        'Assigns an alert to an active member of the organization, or to nobody (null). A resolved alert is refused with 409.',
      body: assignmentBody,
      responses: one,
      errors: ['conflict'],
      async handler({ context, params, body, reply }) {
        return reply(200, { data: toWire(await alerts.assign(context, params.alert_id, body)) });
      },
    }),
    endpoint({
      ...item,
      path: '/alerts/{alert_id}/comments',
      operationId: 'commentAlert',
      summary: 'Comment on an alert',
      description:
        'Adds a comment to an alert, open or resolved. Comments cannot be changed; they are deleted with the alert.',
      body: commentBody,
      responses: { 201: { description: 'The comment', schema: dataObject(commentSchema) } },
      async handler({ context, params, body, reply }) {
        const comment = await alerts.comment(context, params.alert_id, body);
        return reply(201, { data: toCommentWire(comment) });
      },
    }),
  ];
}

function severalEndpoints(alerts: AlertActions): Endpoint[] {
  return [
    endpoint({
      ...shared,
      path: '/alerts/resolve',
      operationId: 'resolveManyAlerts',
      summary: 'Resolve several alerts',
      description: `Resolves up to 500 alerts, with one \`alert.resolved\` each. ${OF_SEVERAL}`,
      body: resolutionsBody,
      responses: several,
      async handler({ context, body, reply }) {
        return reply(200, { data: toChangesWire(await alerts.resolveAll(context, body)) });
      },
    }),
    endpoint({
      ...shared,
      path: '/alerts/acknowledge',
      operationId: 'acknowledgeManyAlerts',
      summary: 'Acknowledge several alerts',
      description: `Notes that the caller has seen up to 500 alerts. ${OF_SEVERAL}`,
      body: acknowledgmentsBody,
      responses: several,
      async handler({ context, body, reply }) {
        return reply(200, { data: toChangesWire(await alerts.acknowledgeAll(context, body)) });
      },
    }),
    endpoint({
      ...shared,
      path: '/alerts/assign',
      operationId: 'assignManyAlerts',
      summary: 'Assign several alerts',
      description: `Assigns up to 500 alerts to an active member, or to nobody (null). ${OF_SEVERAL}`,
      body: assignmentsBody,
      responses: several,
      async handler({ context, body, reply }) {
        return reply(200, { data: toChangesWire(await alerts.assignAll(context, body)) });
      },
    }),
  ];
}
