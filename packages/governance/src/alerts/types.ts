import type { Severity } from '@probity/core';

/** What an alert is about. */
export const ALERT_TYPES = ['pii', 'hallucination', 'injection', 'toxicity', 'policy'] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** From mildest to worst. */
export const SEVERITIES = [
  'low',
  'medium',
  'high',
  'critical',
] as const satisfies readonly Severity[];

/** Whether anybody has to look at an alert still. */
export const ALERT_STATUSES = ['open', 'resolved'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** A detection that a person should look at. */
export interface Alert {
  /** `alr_…` */
  readonly id: string;
  readonly organizationId: string;
  readonly type: AlertType;
  readonly severity: Severity;
  readonly status: AlertStatus;
  /** Short, never repeating the matched text. */
  readonly message: string;
  /** The scan that made it; its record may have been removed by retention since. */
  readonly scanId: string;
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
  readonly resolution: string | null;
}

/** Which alerts to list; every condition given must hold. */
export interface AlertFilter {
  readonly status?: AlertStatus | undefined;
  readonly type?: AlertType | undefined;
  readonly severity?: Severity | undefined;
}
