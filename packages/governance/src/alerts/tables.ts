import type { Severity } from '@probity/core';
import { toDate, toDateOrNull } from '@probity/core/sql';
import { searchTextOf } from './filter.ts';
import type { Alert, AlertAction, AlertActionKind, AlertStatus, AlertType } from './types.ts';

/** Tables of alerts. Times are milliseconds since 1970. */
export interface AlertTables {
  probity_alerts: AlertRow;
  probity_alert_actions: AlertActionRow;
}

/** A row of alerts. */
export interface AlertRow {
  id: string;
  organization_id: string;
  type: string;
  severity: string;
  status: string;
  message: string;
  /** Without a foreign key: alerts outlive the records of their scans. */
  scan_id: string;
  ai_system_id: string | null;
  created_at: number;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
  assignee_id: string | null;
  resolved_at: number | null;
  resolved_by: string | null;
  resolution: string | null;
  /** Message and resolution in lower case, a line each. */
  search_text: string;
}

/** A row of what was done with alerts. */
export interface AlertActionRow {
  id: string;
  organization_id: string;
  alert_id: string;
  action: string;
  member_id: string;
  text: string | null;
  assignee_id: string | null;
  created_at: number;
}

/** The columns of an `Alert`. */
export const ALERT_COLUMNS = [
  ...['id', 'organization_id', 'type', 'severity', 'status', 'message', 'scan_id'],
  ...['ai_system_id', 'created_at', 'acknowledged_at', 'acknowledged_by', 'assignee_id'],
  ...['resolved_at', 'resolved_by', 'resolution'],
] as const satisfies ReadonlyArray<keyof AlertRow>;

/** An alert's row as read. */
export type AlertColumns = Pick<AlertRow, (typeof ALERT_COLUMNS)[number]>;

/** The row of an alert. */
export function toAlertRow(alert: Alert): AlertRow {
  return {
    id: alert.id,
    organization_id: alert.organizationId,
    type: alert.type,
    severity: alert.severity,
    status: alert.status,
    message: alert.message,
    scan_id: alert.scanId,
    ai_system_id: alert.aiSystemId,
    created_at: alert.createdAt.getTime(),
    acknowledged_at: alert.acknowledgedAt?.getTime() ?? null,
    acknowledged_by: alert.acknowledgedBy,
    assignee_id: alert.assigneeId,
    resolved_at: alert.resolvedAt?.getTime() ?? null,
    resolved_by: alert.resolvedBy,
    resolution: alert.resolution,
    search_text: searchTextOf(alert),
  };
}

/** The alert of a row. */
export function toAlert(row: AlertColumns): Alert {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type as AlertType,
    severity: row.severity as Severity,
    status: row.status as AlertStatus,
    message: row.message,
    scanId: row.scan_id,
    aiSystemId: row.ai_system_id,
    createdAt: toDate(row.created_at),
    acknowledgedAt: toDateOrNull(row.acknowledged_at),
    acknowledgedBy: row.acknowledged_by,
    assigneeId: row.assignee_id,
    resolvedAt: toDateOrNull(row.resolved_at),
    resolvedBy: row.resolved_by,
    resolution: row.resolution,
  };
}

/** The row of an action. */
export function toActionRow(action: AlertAction): AlertActionRow {
  return {
    id: action.id,
    organization_id: action.organizationId,
    alert_id: action.alertId,
    action: action.action,
    member_id: action.memberId,
    text: action.text,
    assignee_id: action.assigneeId,
    created_at: action.createdAt.getTime(),
  };
}

/** The action of a row. */
export function toAction(row: AlertActionRow): AlertAction {
  return {
    id: row.id,
    organizationId: row.organization_id,
    alertId: row.alert_id,
    action: row.action as AlertActionKind,
    memberId: row.member_id,
    text: row.text,
    assigneeId: row.assignee_id,
    createdAt: toDate(row.created_at),
  };
}
