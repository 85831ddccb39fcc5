import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { prepareQuery } from '@probity/core/sql';
import type { GovernanceReads, GovernanceStorage, GovernanceWrites } from '../storage.ts';
import type { AlertFilter } from '../types.ts';
import { toAlert, toAlertRow, toScan, toScanRow } from './rows.ts';
import type { AlertRow, GovernanceTables, ScanRow } from './tables.ts';

/** Scans and alerts on SQLite and PostgreSQL. */
export function createSqlGovernanceStorage(database: SqlDatabase): GovernanceStorage {
  return bindStorage<SqlSession, GovernanceReads, GovernanceWrites>(database, (session) => ({
    ...createReads(session),
    ...createWrites(session),
  }));
}

const insertScan = prepareQuery<GovernanceTables, ScanRow, object>((db, value) =>
  db.insertInto('scans').values({
    id: value('id'),
    organization_id: value('organization_id'),
    member_id: value('member_id'),
    key_id: value('key_id'),
    verdict: value('verdict'),
    scores: value('scores'),
    findings: value('findings'),
    finding_count: value('finding_count'),
    personal_data: value('personal_data'),
    policy_ids: value('policy_ids'),
    violation: value('violation'),
    metadata: value('metadata'),
    prompt_hash: value('prompt_hash'),
    response_hash: value('response_hash'),
    context_hash: value('context_hash'),
    duration_us: value('duration_us'),
    created_at: value('created_at'),
  }),
);

const insertAlert = prepareQuery<GovernanceTables, AlertRow, object>((db, value) =>
  db.insertInto('alerts').values({
    id: value('id'),
    organization_id: value('organization_id'),
    type: value('type'),
    severity: value('severity'),
    status: value('status'),
    message: value('message'),
    scan_id: value('scan_id'),
    created_at: value('created_at'),
    resolved_at: value('resolved_at'),
    resolution: value('resolution'),
  }),
);

interface Key {
  organizationId: string;
  id: string;
}

const selectScan = prepareQuery<GovernanceTables, Key, ScanRow>((db, value) =>
  db
    .selectFrom('scans')
    .selectAll()
    .where('organization_id', '=', value('organizationId'))
    .where('id', '=', value('id')),
);

const selectAlert = prepareQuery<GovernanceTables, Key, AlertRow>((db, value) =>
  db
    .selectFrom('alerts')
    .selectAll()
    .where('organization_id', '=', value('organizationId'))
    .where('id', '=', value('id')),
);

function createReads(session: SqlSession): GovernanceReads {
  return {
    async findScan(organizationId, id) {
      const [row] = await selectScan(session, { organizationId, id });
      return row ? toScan(row) : null;
    },
    async findAlert(organizationId, id) {
      const [row] = await selectAlert(session, { organizationId, id });
      return row ? toAlert(row) : null;
    },
    async listAlerts(organizationId, filter, { limit, offset }) {
      const alerts = selectAlerts(session, organizationId, filter);
      const rows = await alerts
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const { count } = await alerts
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(toAlert), total: Number(count) };
    },
  };
}

function selectAlerts(
  session: SqlSession,
  organizationId: string,
  { status, type, severity }: AlertFilter,
) {
  return session
    .kysely<GovernanceTables>()
    .selectFrom('alerts')
    .where('organization_id', '=', organizationId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(type !== undefined, (query) => query.where('type', '=', type as string))
    .$if(severity !== undefined, (query) => query.where('severity', '=', severity as string));
}

function createWrites(session: SqlSession): GovernanceWrites {
  return {
    async insertScan(scan) {
      await insertScan(session, toScanRow(scan));
    },
    async deletePersonalScans(before, limit) {
      const db = session.kysely<GovernanceTables>();
      const old = db
        .selectFrom('scans')
        .select('id')
        // As a literal, so that the index of just these rows is used.
        .where('personal_data', '=', (eb) => eb.lit(1))
        .where('created_at', '<', before.getTime())
        .orderBy('created_at')
        .limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('scans')
        .where('id', 'in', old)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
    async insertAlert(alert) {
      await insertAlert(session, toAlertRow(alert));
    },
  };
}
