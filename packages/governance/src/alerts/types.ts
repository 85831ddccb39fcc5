import type { Severity } from '@probity/core';

/** The categories of alerts. */
export const ALERT_TYPES = ['pii', 'hallucination', 'injection', 'toxicity', 'policy'] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** In ascending order. */
export const SEVERITIES = [
  'low',
  'medium',
  'high',
  'critical',
] as const satisfies readonly Severity[];

/** An alert is `open` until a person resolves it. */
export const ALERT_STATUSES = ['open', 'resolved'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** A detection that needs review by a person. */
export interface Alert {
  /** `alr_…` */
  readonly id: string;
  readonly organizationId: string;
  readonly type: AlertType;
  readonly severity: Severity;
  readonly status: AlertStatus;
  /** Short, never repeating the matched text. */
  readonly message: string;
  /** The scan that raised it; retention may have deleted the scan's record since. */
  readonly scanId: string;
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
  readonly resolution: string | null;
}

/** Filter of a list of alerts; all given conditions must hold. */
export interface AlertFilter {
  readonly status?: AlertStatus | undefined;
  readonly type?: AlertType | undefined;
  readonly severity?: Severity | undefined;
}
