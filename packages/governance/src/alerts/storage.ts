import type { Page, PageOf } from '@probity/core';
import type { Alert, AlertAction, AlertActionKind, AlertCount, AlertFilter } from './types.ts';

/** What summaries need to know of an alert. */
export type TimedAlert = Pick<
  Alert,
  'id' | 'createdAt' | 'resolvedAt' | 'resolvedBy' | 'aiSystemId'
>;

/** A part of an organization's alerts in the order of a time, ties by id, oldest first. */
export interface AlertPart {
  /** `createdAt` has all alerts, `resolvedAt` the resolved ones. */
  readonly by: 'createdAt' | 'resolvedAt';
  /** The range of the time: from `since` on, before `until`. */
  readonly since: Date;
  readonly until: Date;
  /** The last alert of the part before; default the first part. */
  readonly after?: TimedAlert | undefined;
  readonly limit: number;
}

/** How many alerts about an AI system, or about none, were open at a time. */
export interface OpenAlerts {
  readonly aiSystemId: string | null;
  readonly count: number;
}

/** Who changes alerts, and when. */
export interface AlertChange {
  readonly memberId: string;
  readonly at: Date;
}

/** Read operations on alerts. */
export interface AlertReads {
  /** Null when the organization has no such alert. */
  findAlert(organizationId: string, id: string): Promise<Alert | null>;
  /** Those of the alerts that the organization has, in any order. */
  findAlerts(organizationId: string, ids: readonly string[]): Promise<Alert[]>;
  /** The organization's alerts that match `filter`, newest first, ties by descending id. */
  listAlerts(organizationId: string, filter: AlertFilter, page: Page): Promise<PageOf<Alert>>;
  /** The number of alerts that match, by hour of creation and type; newest hour first, ties by type. */
  countAlertsByHour(organizationId: string, filter: AlertFilter): Promise<AlertCount[]>;
  /** What was done with an alert, all or of one kind, oldest first, ties by ascending id. */
  listAlertActions(
    organizationId: string,
    alertId: string,
    action: AlertActionKind | undefined,
    page: Page,
  ): Promise<PageOf<AlertAction>>;
  /** Up to `limit` of the organization's alerts. */
  readTimedAlerts(organizationId: string, part: AlertPart): Promise<readonly TimedAlert[]>;
  /** The number of alerts created before `at` and not resolved before it, by AI system, in any order. */
  countOpenAlerts(organizationId: string, at: Date): Promise<readonly OpenAlerts[]>;
}

/**
 * Write operations on alerts. Of several that change an alert at once each sees what the one before has
 * stored: exactly one of several concurrent resolutions gets the alert.
 */
export interface AlertWrites {
  insertAlert(alert: Alert): Promise<void>;
  /** Resolves those of the alerts that are open; returns them as they are then, in any order. */
  resolveAlerts(
    organizationId: string,
    ids: readonly string[],
    change: AlertChange & { readonly resolution: string },
  ): Promise<Alert[]>;
  /** Marks those of the alerts that are open and not yet acknowledged; returns them as they are then. */
  acknowledgeAlerts(
    organizationId: string,
    ids: readonly string[],
    change: AlertChange,
  ): Promise<Alert[]>;
  /** Assigns those of the alerts that are open and assigned otherwise, null to nobody; returns them as they are then. */
  assignAlerts(
    organizationId: string,
    ids: readonly string[],
    assigneeId: string | null,
  ): Promise<Alert[]>;
  insertAlertActions(actions: readonly AlertAction[]): Promise<void>;
  /**
   * Deletes up to `limit` of the organization's alerts that were resolved before `before`, earliest first, with what was
   * done with them; returns their number.
   */
  deleteResolvedAlerts(organizationId: string, before: Date, limit: number): Promise<number>;
}
