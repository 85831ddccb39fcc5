import { createHash } from 'node:crypto';
import type { EventRecord } from '@probity/core';
import { z } from 'zod';
import type { CardContent } from '../chatops/card.ts';
import { SEVERITY_COLORS } from '../chatops/card.ts';
import type { Routing } from '../integrations/types.ts';
import { SEVERITIES } from '../integrations/types.ts';
import type { NewIncident } from '../itsm/types.ts';

const alertData = z.object({
  alertId: z.string().min(1),
  severity: z.enum(SEVERITIES),
  type: z.string(),
  message: z.string(),
});

/** An alert as its event describes it. */
export interface RoutedAlert extends z.infer<typeof alertData> {
  readonly createdAt: Date;
}

/** The event that an alert is routed by. */
const ALERT_EVENT = 'alert.created';

/** The alert of an event; null for other events, tests, and events of a host that have other data. */
export function alertOf({ type, data, isTest, createdAt }: EventRecord): RoutedAlert | null {
  if (type !== ALERT_EVENT || isTest) return null;
  const parsed = alertData.safeParse(data);
  return parsed.success ? { ...parsed.data, createdAt } : null;
}

/** By which ServiceNow computes the priority: 1, 2, 3 and 5. */
const LEVELS = {
  critical: { impact: 1, urgency: 1, priority: 1 },
  high: { impact: 2, urgency: 1, priority: 2 },
  medium: { impact: 2, urgency: 2, priority: 3 },
  low: { impact: 3, urgency: 3, priority: 5 },
} as const;

const MAX_SUMMARY = 160;
const MAX_DESCRIPTION = 4_000;

/** The incident for an alert. */
export function toIncident(alert: RoutedAlert, { category, subcategory }: Routing): NewIncident {
  const { alertId, severity, type, message, createdAt } = alert;
  const facts = [
    message,
    '',
    `Severity: ${severity}`,
    `Type: ${type}`,
    `Alert: ${alertId}`,
    `Time: ${createdAt.toISOString()}`,
  ];
  return {
    short_description: shorten(`Probity alert (${severity}): ${message}`, MAX_SUMMARY),
    description: shorten(facts.join('\n'), MAX_DESCRIPTION),
    ...(category === undefined ? {} : { category }),
    ...(subcategory === undefined ? {} : { subcategory }),
    ...LEVELS[severity],
  };
}

/** The card for an alert. */
export function toCardContent(alert: RoutedAlert): CardContent {
  const { alertId, severity, type, message, createdAt } = alert;
  return {
    title: `Alert: ${severity}`,
    text: message,
    color: SEVERITY_COLORS[severity],
    facts: [
      ['Severity', severity],
      ['Type', type],
      ['Alert', alertId],
      ['Time', createdAt.toISOString()],
    ],
  };
}

const PLAIN_ID = /^[\w-]{1,80}$/;

/** The correlation of the incident for an alert; ids that a query could misread are hashed. */
export function correlationIdOf({ alertId }: RoutedAlert): string {
  const plain = PLAIN_ID.test(alertId);
  return `probity-${plain ? alertId : createHash('sha256').update(alertId).digest('hex')}`;
}

function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
