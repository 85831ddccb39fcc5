import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page, PageOf, Severity } from '@probity/core';
import type { SqlSession } from '@probity/core/sql';
import { equalityPaths, isAmong, pageOfPaths, toDate } from '@probity/core/sql';
import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import { EQUAL, fitsMembers } from '../filter.ts';
import type { AlertColumns, AlertTables } from '../tables.ts';
import { ALERT_COLUMNS, toAlert } from '../tables.ts';
import type { Alert, AlertFilter, AlertStatus, AlertType } from '../types.ts';

/** Alerts that one statement of a search reads; they take some milliseconds. */
const SLICE_ROWS = 2_000;

const COLUMN_OF = {
  scanId: 'scan_id',
  assigneeId: 'assignee_id',
  severity: 'severity',
  type: 'type',
  status: 'status',
} as const;

/** What a search reads of each alert. */
type SearchedAlert = Pick<Alert, 'id' | 'type' | 'createdAt'>;

/**
 * A page of the alerts that match. Each single condition has an index in the order of the list. Of several, the rarest
 * is found by its index, and the others and the text are compared in slices, between which others are served.
 */
export async function listAlerts(
  session: SqlSession,
  organizationId: string,
  filter: AlertFilter,
  page: Page,
): Promise<PageOf<Alert>> {
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
  return pageOfPaths(
    equalityPaths(newest, conditions, { others, times: { since, until } }),
    page,
    toAlert,
  );
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

/** The alerts that match, newest first, in slices. */
export async function* searchAlerts(
  session: SqlSession,
  organizationId: string,
  filter: AlertFilter,
): AsyncGenerator<SearchedAlert> {
  const { text } = filter;
  const found = text === undefined ? sql<number>`1` : positionOf(session, text);
  let last: { readonly id: string; readonly created_at: number } | undefined;
  for (;;) {
    // Not both: SQLite would begin each slice at the time.
    let slice = indexed(session, organizationId, last ? { ...filter, until: undefined } : filter);
    if (last)
      slice = slice.where(sql<boolean>`(created_at, id) < (${last.created_at}, ${last.id})`);
    const rows = await slice
      .select(['id', 'created_at', 'scan_id', 'assignee_id', 'severity', 'type', 'status'])
      .select(found.as('found'))
      .limit(SLICE_ROWS)
      .execute();
    for (const row of rows) {
      const alert = {
        ...{ scanId: row.scan_id, assigneeId: row.assignee_id },
        ...{ severity: row.severity as Severity, status: row.status as AlertStatus },
        type: row.type as AlertType,
      };
      if (Number(row.found) === 0 || !fitsMembers(alert, filter)) continue;
      yield { id: row.id, type: alert.type, createdAt: toDate(row.created_at) };
    }
    last = rows.at(-1);
    if (rows.length < SLICE_ROWS) return;
    await nextTurn();
  }
}

/** Where an alert has the text; 0 where it does not. */
function positionOf({ dialect }: SqlSession, text: string) {
  const position = sql.raw(dialect === 'sqlite' ? 'instr' : 'strpos');
  return sql<number>`${position}(search_text, ${text.toLowerCase()})`;
}

/** The alerts that fit the time and the one condition that most likely fits the fewest, newest first. */
function indexed(
  session: SqlSession,
  organizationId: string,
  filter: AlertFilter,
): SelectQueryBuilder<AlertTables, 'probity_alerts', object> {
  const { since, until } = filter;
  const first = EQUAL.find((name) => filter[name] !== undefined);
  let matching = session
    .kysely<AlertTables>()
    .selectFrom('probity_alerts')
    .where('organization_id', '=', organizationId);
  if (first) matching = matching.where(COLUMN_OF[first], '=', filter[first] as string);
  if (since) matching = matching.where('created_at', '>=', since.getTime());
  if (until) matching = matching.where('created_at', '<', until.getTime());
  return matching.orderBy('created_at', 'desc').orderBy('id', 'desc');
}
