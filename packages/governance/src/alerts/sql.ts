import type { Severity } from '@probity/core';
import type { SqlSession } from '@probity/core/sql';
import { pageOf, prepareInsert, prepareQuery, toDate, toDateOrNull } from '@probity/core/sql';
import type { AlertReads, AlertWrites } from './storage.ts';
import type { Alert, AlertFilter, AlertStatus, AlertType } from './types.ts';

interface AlertTables {
  probity_alerts: AlertRow;
}

/** Times are milliseconds since 1970. */
interface AlertRow {
  id: string;
  organization_id: string;
  type: string;
  severity: string;
  status: string;
  message: string;
  /** Without a foreign key: alerts outlive the records of their scans. */
  scan_id: string;
  created_at: number;
  resolved_at: number | null;
  resolution: string | null;
}

const insertAlert = prepareInsert<AlertRow>('probity_alerts', [
  'id',
  'organization_id',
  'type',
  'severity',
  'status',
  'message',
  'scan_id',
  'created_at',
  'resolved_at',
  'resolution',
]);

const selectAlert = prepareQuery<AlertTables, { organizationId: string; id: string }, AlertRow>(
  (db, value) =>
    db
      .selectFrom('probity_alerts')
      .selectAll()
      .where('organization_id', '=', value('organizationId'))
      .where('id', '=', value('id')),
);

/** Reads alerts on a SQL session. */
export function createAlertReads(session: SqlSession): AlertReads {
  return {
    async findAlert(organizationId, id) {
      const [row] = await selectAlert(session, { organizationId, id });
      return row ? toAlert(row) : null;
    },
    listAlerts(organizationId, filter, page) {
      const newest = selectAlerts(session, organizationId, filter)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc');
      return pageOf(newest, page, toAlert);
    },
  };
}

/** Writes alerts on a SQL session. */
export function createAlertWrites(session: SqlSession): AlertWrites {
  return {
    insertAlert: (alert) => insertAlert(session, toAlertRow(alert)),
  };
}

function selectAlerts(
  session: SqlSession,
  organizationId: string,
  { status, type, severity }: AlertFilter,
) {
  let matching = session
    .kysely<AlertTables>()
    .selectFrom('probity_alerts')
    .where('organization_id', '=', organizationId);
  if (status !== undefined) matching = matching.where('status', '=', status);
  if (type !== undefined) matching = matching.where('type', '=', type);
  if (severity !== undefined) matching = matching.where('severity', '=', severity);
  return matching;
}

function toAlertRow(alert: Alert): AlertRow {
  return {
    id: alert.id,
    organization_id: alert.organizationId,
    type: alert.type,
    severity: alert.severity,
    status: alert.status,
    message: alert.message,
    scan_id: alert.scanId,
    created_at: alert.createdAt.getTime(),
    resolved_at: alert.resolvedAt?.getTime() ?? null,
    resolution: alert.resolution,
  };
}

function toAlert(row: AlertRow): Alert {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type as AlertType,
    severity: row.severity as Severity,
    status: row.status as AlertStatus,
    message: row.message,
    scanId: row.scan_id,
    createdAt: toDate(row.created_at),
    resolvedAt: toDateOrNull(row.resolved_at),
    resolution: row.resolution,
  };
}
