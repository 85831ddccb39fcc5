import { timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { Alert, AlertAction, AlertChanges } from './types.ts';
import { ALERT_ACTIONS, ALERT_STATUSES, ALERT_TYPES, SEVERITIES } from './types.ts';

/** An alert on the wire. */
export const alertSchema = z
  .strictObject({
    id: z.string(),
    type: z.enum(ALERT_TYPES),
    severity: z.enum(SEVERITIES),
    status: z.enum(ALERT_STATUSES),
    message: z.string(),
    scanId: z.string(),
    aiSystemId: z.string().nullable().describe('The AI system that the scan named.'),
    createdAt: timestamp,
    acknowledgedAt: timestamp.nullable(),
    acknowledgedBy: z.string().nullable().describe('The member who acknowledged it first.'),
    assigneeId: z.string().nullable().describe('The member to whom it is assigned.'),
    resolvedAt: timestamp.nullable(),
    resolvedBy: z.string().nullable().describe('The member who resolved it.'),
    resolution: z.string().nullable(),
  })
  .meta({ id: 'Alert' });

/** A number of alerts on the wire. */
export const alertCountSchema = z
  .strictObject({
    type: z.enum(ALERT_TYPES),
    hour: timestamp.describe('The beginning of the hour (UTC).'),
    count: z.int().positive(),
  })
  .meta({ id: 'AlertCount' });

/** What was done with an alert, on the wire. */
export const alertActionSchema = z
  .strictObject({
    id: z.string(),
    action: z.enum(ALERT_ACTIONS),
    memberId: z.string().describe('The member who did it.'),
    text: z.string().nullable().describe('The comment or the resolution.'),
    assigneeId: z.string().nullable().describe('The member to whom the alert was assigned.'),
    createdAt: timestamp,
  })
  .meta({ id: 'AlertAction' });

/** A comment on the wire. */
export const commentSchema = z
  .strictObject({ id: z.string(), memberId: z.string(), text: z.string(), createdAt: timestamp })
  .meta({ id: 'AlertComment' });

/** The outcome of a change of several alerts on the wire. */
export const alertChangesSchema = z
  .strictObject({
    changed: z.array(z.string()).describe('Those that were changed.'),
    unchanged: z.array(z.string()).describe('Open ones that already were as asked for.'),
    alreadyResolved: z.array(z.string()).describe('Those that were resolved before.'),
    unknown: z.array(z.string()).describe('Those that the organization does not have.'),
  })
  .meta({ id: 'AlertChanges' });

/** The wire form of an alert. */
export function toWire(alert: Alert): z.infer<typeof alertSchema> {
  return {
    id: alert.id,
    type: alert.type,
    severity: alert.severity,
    status: alert.status,
    message: alert.message,
    scanId: alert.scanId,
    aiSystemId: alert.aiSystemId,
    createdAt: alert.createdAt.toISOString(),
    acknowledgedAt: alert.acknowledgedAt?.toISOString() ?? null,
    acknowledgedBy: alert.acknowledgedBy,
    assigneeId: alert.assigneeId,
    resolvedAt: alert.resolvedAt?.toISOString() ?? null,
    resolvedBy: alert.resolvedBy,
    resolution: alert.resolution,
  };
}

/** The wire form of what was done with an alert. */
export function toActionWire({
  id,
  action,
  memberId,
  text,
  assigneeId,
  createdAt,
}: AlertAction): z.infer<typeof alertActionSchema> {
  return { id, action, memberId, text, assigneeId, createdAt: createdAt.toISOString() };
}

/** The wire form of a comment. */
export function toCommentWire({
  id,
  memberId,
  text,
  createdAt,
}: AlertAction): z.infer<typeof commentSchema> {
  return { id, memberId, text: text ?? '', createdAt: createdAt.toISOString() };
}

/** The wire form of the outcome of a change. */
export function toChangesWire({
  changed,
  ...others
}: AlertChanges): z.infer<typeof alertChangesSchema> {
  return {
    changed: changed.map(({ id }) => id),
    unchanged: [...others.unchanged],
    alreadyResolved: [...others.alreadyResolved],
    unknown: [...others.unknown],
  };
}
