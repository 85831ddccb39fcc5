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
  /** The AI system that the scan named; null for none. */
  readonly aiSystemId: string | null;
  readonly createdAt: Date;
  /** When a member first said that they have seen it, and who. */
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  /** The member who is to deal with it. */
  readonly assigneeId: string | null;
  readonly resolvedAt: Date | null;
  /** The member who resolved it. */
  readonly resolvedBy: string | null;
  readonly resolution: string | null;
}

/** Filter of a list of alerts; all given conditions must hold. */
export interface AlertFilter {
  readonly status?: AlertStatus | undefined;
  readonly type?: AlertType | undefined;
  readonly severity?: Severity | undefined;
  /** Alerts made at this time or later. */
  readonly since?: Date | undefined;
  /** Alerts made before this time. */
  readonly until?: Date | undefined;
  /** Alerts that this scan raised. */
  readonly scanId?: string | undefined;
  /** Alerts that are assigned to this member. */
  readonly assigneeId?: string | undefined;
  /** Alerts whose message or resolution contains this text, in any letter case. */
  readonly text?: string | undefined;
}

/** The number of alerts of a type that were made within an hour. */
export interface AlertCount {
  readonly type: AlertType;
  /** The beginning of the hour (UTC). */
  readonly hour: Date;
  readonly count: number;
}

/** What members do with an alert. */
export const ALERT_ACTIONS = [
  'acknowledged',
  'assigned',
  'unassigned',
  'commented',
  'resolved',
] as const;
export type AlertActionKind = (typeof ALERT_ACTIONS)[number];

/** What a member did with an alert, and when. It is deleted with the alert. */
export interface AlertAction {
  /** `act_…` */
  readonly id: string;
  readonly organizationId: string;
  readonly alertId: string;
  readonly action: AlertActionKind;
  readonly memberId: string;
  /** The comment, or the resolution; null for other actions. */
  readonly text: string | null;
  /** The member to whom the alert was assigned; null for other actions. */
  readonly assigneeId: string | null;
  readonly createdAt: Date;
}

/** The outcome of a change of several alerts, by their ids; each id is in one of the lists. */
export interface AlertChanges {
  /** Those that were changed, as they are now. */
  readonly changed: readonly Alert[];
  /** Open ones that already were as asked for. */
  readonly unchanged: readonly string[];
  /** Those that were resolved before; they stay as they are. */
  readonly alreadyResolved: readonly string[];
  /** Those that the organization does not have. */
  readonly unknown: readonly string[];
}
