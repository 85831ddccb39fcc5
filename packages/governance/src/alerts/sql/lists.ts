import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page, PageOf, Severity } from '@probity/core';
import type { SqlSession } from '@probity/core/sql';
import { isAmong, pageOf, toDate } from '@probity/core/sql';
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
 * A page of the alerts that match. Each single condition has an index in the order of the list. Of several, and of a
 * text, one is found by its index and the others are compared in slices, between which others are served.
 */
export async function listAlerts(
  session: SqlSession,
  organizationId: string,
  filter: AlertFilter,
  page: Page,
): Promise<PageOf<Alert>> {
  if (!isSearch(filter)) {
    return pageOf(indexed(session, organizationId, filter).select(ALERT_COLUMNS), page, toAlert);
  }
  const { limit, offset } = page;
  const ids: string[] = [];
  let total = 0;
  for await (const { id } of searchAlerts(session, organizationId, filter)) {
    if (total >= offset && ids.length < limit) ids.push(id);
    total += 1;
  }
  const found = await findAlerts(session, organizationId, ids);
  const byId = new Map(found.map((alert) => [alert.id, alert]));
  // One may have been deleted meanwhile.
  return { items: ids.flatMap((id) => byId.get(id) ?? []), total };
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
  const position = sql.raw(session.dialect === 'sqlite' ? 'instr' : 'strpos');
  const found =
    text === undefined
      ? sql<number>`1`
      : sql<number>`${position}(search_text, ${text.toLowerCase()})`;
  let last: { readonly id: string; readonly created_at: number } | undefined;
  for (;;) {
    let slice = indexed(session, organizationId, filter);
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

function isSearch(filter: AlertFilter): boolean {
  const conditions = EQUAL.filter((name) => filter[name] !== undefined);
  return filter.text !== undefined || conditions.length > 1;
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
