import type { Page, PageOf } from '@probity/core';
import type { ListPath, SqlSession } from '@probity/core/sql';
import { countGroups, equalityPaths, isAmong, pageOfPaths, toDate } from '@probity/core/sql';
import { sql } from 'kysely';
import { createHourCounts, EQUAL, HOUR_MS } from '../filter.ts';
import type { AlertColumns, AlertTables } from '../tables.ts';
import { ALERT_COLUMNS, toAlert } from '../tables.ts';
import type { Alert, AlertCount, AlertFilter, AlertType } from '../types.ts';

const COLUMN_OF = {
  scanId: 'scan_id',
  assigneeId: 'assignee_id',
  severity: 'severity',
  type: 'type',
  status: 'status',
} as const;

/** A page of the alerts that match, newest first. */
export function listAlerts(
  session: SqlSession,
  organizationId: string,
  filter: AlertFilter,
  page: Page,
): Promise<PageOf<Alert>> {
  return pageOfPaths(pathsToAlerts(session, organizationId, filter), page, toAlert);
}

/** How many alerts match, by hour of creation and type. */
export async function countAlertsByHour(
  session: SqlSession,
  organizationId: string,
  filter: AlertFilter,
): Promise<AlertCount[]> {
  const counts = createHourCounts();
  const hour = sql<number>`created_at - created_at % ${sql.lit(HOUR_MS)}`;
  const paths = pathsToAlerts(session, organizationId, filter);
  await countGroups(paths, { hour, type: sql.ref('type') }, ({ key, count }) =>
    counts.add({ type: key.type as AlertType, createdAt: toDate(Number(key.hour)) }, count),
  );
  return counts.toList();
}

/**
 * The paths to the alerts that match. Each single condition has an index in the order of the list. Of several, the rarest
 * is found by its index, and the others and the text are compared in slices, between which others are served.
 */
function pathsToAlerts(
  session: SqlSession,
  organizationId: string,
  filter: AlertFilter,
): Array<ListPath<AlertColumns>> {
  const { text, since, until } = filter;
  const newest = session
    .kysely<AlertTables>()
    .selectFrom('probity_alerts')
    .select(ALERT_COLUMNS)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  const conditions = Object.fromEntries(EQUAL.map((name) => [COLUMN_OF[name], filter[name]]));
  const others = text === undefined ? undefined : sql<boolean>`${positionOf(session, text)} > 0`;
  return equalityPaths(newest, conditions, { others, times: { since, until } });
}

/** Those of the alerts that the organization has. */
export async function findAlerts(
  session: SqlSession,
  organizationId: string,
  ids: readonly string[],
): Promise<Alert[]> {
  if (ids.length === 0) return [];
  const rows: AlertColumns[] = await session
    .kysely<AlertTables>()
    .selectFrom('probity_alerts')
    .select(ALERT_COLUMNS)
    .where(hasIdAmong(session.dialect, ids))
    .where(ownedBy(organizationId))
    .execute();
  return rows.map(toAlert);
}

/** That a row has one of the ids, which PostgreSQL looks up in the order of the index. */
export function hasIdAmong(dialect: SqlSession['dialect'], ids: readonly string[]) {
  return isAmong(dialect, 'id', sql.val(JSON.stringify(ids)));
}

/** That a row found by its id belongs to the organization; an expression, so that no index of organizations is used. */
export function ownedBy(organizationId: string) {
  return sql<boolean>`organization_id || '' = ${organizationId}`;
}

/** Where an alert has the text; 0 where it does not. */
function positionOf({ dialect }: SqlSession, text: string) {
  const position = sql.raw(dialect === 'sqlite' ? 'instr' : 'strpos');
  return sql<number>`${position}(search_text, ${text.toLowerCase()})`;
}
