import type { SqlSession } from '@probity/core/sql';
import {
  deleteBatch,
  forUpdate,
  insertMany,
  pageOf,
  prepareInsert,
  prepareQuery,
  toDate,
  toDateOrNull,
} from '@probity/core/sql';
import type { UpdateObject } from 'kysely';
import { sql } from 'kysely';
import { countAlertsByHour, findAlerts, hasIdAmong, listAlerts, ownedBy } from './sql/lists.ts';
import { countOpenAlerts } from './sql/open.ts';
import type { AlertPart, AlertReads, AlertWrites, TimedAlert } from './storage.ts';
import type { AlertColumns, AlertRow, AlertTables } from './tables.ts';
import { ALERT_COLUMNS, toAction, toActionRow, toAlert, toAlertRow } from './tables.ts';
import type { Alert } from './types.ts';

const insertAlert = prepareInsert<AlertRow>('probity_alerts', [...ALERT_COLUMNS, 'search_text']);

const selectAlert = prepareQuery<AlertTables, { organizationId: string; id: string }, AlertColumns>(
  (db, value) =>
    db
      .selectFrom('probity_alerts')
      .select(ALERT_COLUMNS)
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
    findAlerts: (organizationId, ids) => findAlerts(session, organizationId, ids),
    listAlerts: (organizationId, filter, page) => listAlerts(session, organizationId, filter, page),
    countAlertsByHour: (organizationId, filter) =>
      countAlertsByHour(session, organizationId, filter),
    listAlertActions(organizationId, alertId, action, page) {
      let matching = session
        .kysely<AlertTables>()
        .selectFrom('probity_alert_actions')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('alert_id', '=', alertId);
      if (action !== undefined) matching = matching.where('action', '=', action);
      return pageOf(matching.orderBy('created_at').orderBy('id'), page, toAction);
    },
    readTimedAlerts: (organizationId, part) => readTimedAlerts(session, organizationId, part),
    countOpenAlerts: (organizationId, at) => countOpenAlerts(session, organizationId, at),
  };
}

/** Writes alerts on a SQL session. */
export function createAlertWrites(session: SqlSession): AlertWrites {
  const changeOpen = (
    organizationId: string,
    ids: readonly string[],
    changes: UpdateObject<AlertTables, 'probity_alerts'>,
    condition = sql<boolean>`1 = 1`,
  ) => changeOpenAlerts(session, organizationId, ids, changes, condition);
  return {
    insertAlert: (alert) => insertAlert(session, toAlertRow(alert)),
    resolveAlerts: (organizationId, ids, { memberId, at, resolution }) =>
      changeOpen(organizationId, ids, {
        ...{ status: 'resolved', resolved_at: at.getTime(), resolved_by: memberId, resolution },
        search_text: sql<string>`search_text || ${resolution.toLowerCase()}`,
      }),
    acknowledgeAlerts: (organizationId, ids, { memberId, at }) =>
      changeOpen(
        organizationId,
        ids,
        { acknowledged_at: at.getTime(), acknowledged_by: memberId },
        sql<boolean>`acknowledged_at is null`,
      ),
    assignAlerts: (organizationId, ids, assigneeId) =>
      changeOpen(
        organizationId,
        ids,
        { assignee_id: assigneeId },
        sql<boolean>`coalesce(assignee_id, '') <> ${assigneeId ?? ''}`,
      ),
    async insertAlertActions(actions) {
      await insertMany(session, 'probity_alert_actions', actions.map(toActionRow));
    },
    deleteResolvedAlerts(organizationId, before, limit) {
      const old = session
        .kysely<AlertTables>()
        .selectFrom('probity_alerts')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('resolved_at', '<', before.getTime())
        .orderBy('resolved_at')
        .limit(limit);
      return deleteBatch(session, 'probity_alerts', 'id', old);
    },
  };
}

/**
 * Changes those of the alerts that are open and fulfill the condition. They are locked in one order, so that two
 * changes of the same alerts do not wait for each other; the condition holds for what the one before has stored.
 */
async function changeOpenAlerts(
  session: SqlSession,
  organizationId: string,
  ids: readonly string[],
  changes: UpdateObject<AlertTables, 'probity_alerts'>,
  condition: ReturnType<typeof ownedBy>,
): Promise<Alert[]> {
  if (ids.length === 0) return [];
  const db = session.kysely<AlertTables>();
  const wanted = db
    .selectFrom('probity_alerts')
    .select('id')
    .where(hasIdAmong(session.dialect, ids))
    .where(ownedBy(organizationId))
    .where(sql<boolean>`status || '' = 'open'`)
    .where(condition)
    .orderBy('id');
  const locked = await forUpdate(session.dialect, wanted).execute();
  if (locked.length === 0) return [];
  const lockedIds = locked.map(({ id }) => id);
  const rows: AlertColumns[] = await db
    .updateTable('probity_alerts')
    .set(changes)
    .where(hasIdAmong(session.dialect, lockedIds))
    .returning(ALERT_COLUMNS)
    .execute();
  return rows.map(toAlert);
}

async function readTimedAlerts(
  session: SqlSession,
  organizationId: string,
  { by, since, until, after, limit }: AlertPart,
): Promise<TimedAlert[]> {
  const column = by === 'resolvedAt' ? 'resolved_at' : 'created_at';
  let part = session
    .kysely<AlertTables>()
    .selectFrom('probity_alerts')
    .select(['id', 'created_at', 'resolved_at', 'resolved_by', 'ai_system_id'])
    .where('organization_id', '=', organizationId)
    .where(column, '>=', since.getTime())
    .where(column, '<', until.getTime());
  if (after) {
    const time = by === 'resolvedAt' ? after.resolvedAt : after.createdAt;
    part = part.where(
      sql<boolean>`(${sql.ref(column)}, id) > (${time?.getTime() ?? 0}, ${after.id})`,
    );
  }
  const rows = await part.orderBy(column).orderBy('id').limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: toDate(row.created_at),
    resolvedAt: toDateOrNull(row.resolved_at),
    resolvedBy: row.resolved_by,
    aiSystemId: row.ai_system_id,
  }));
}
