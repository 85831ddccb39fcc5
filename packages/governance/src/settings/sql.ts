import { bindStorage } from '@probity/core';
import type { RetentionPreset } from '@probity/core/internal';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { countChanges, insertMany, prepareQuery, prepareUpsert, toDate } from '@probity/core/sql';
import type { UpkeepReads, UpkeepStorage, UpkeepWrites } from './storage.ts';
import type { StoredSettings } from './types.ts';

/** Times are milliseconds since 1970. */
interface UpkeepTables {
  probity_governance_settings: SettingsRow;
  probity_runtime_summaries: SummaryRow;
}

interface SettingsRow {
  organization_id: string;
  retention_preset: string;
  personal_scan_days: number;
  scan_days: number | null;
  resolved_alert_days: number | null;
  updated_at: number;
}

interface SummaryRow {
  organization_id: string;
  summarized_until: number;
}

interface Owned {
  organizationId: string;
}

const selectSettings = prepareQuery<UpkeepTables, Owned, SettingsRow>((db, value) =>
  db
    .selectFrom('probity_governance_settings')
    .selectAll()
    .where('organization_id', '=', value('organizationId')),
);

const selectSummaries = prepareQuery<UpkeepTables, Owned, SummaryRow>((db, value) =>
  db
    .selectFrom('probity_runtime_summaries')
    .selectAll()
    .where('organization_id', '=', value('organizationId')),
);

const putSettings = prepareUpsert<SettingsRow>(
  'probity_governance_settings',
  [
    ...(['organization_id', 'retention_preset', 'personal_scan_days'] as const),
    ...(['scan_days', 'resolved_alert_days', 'updated_at'] as const),
  ],
  ['organization_id'],
);

/** The storage of settings and summaries on SQLite and PostgreSQL. */
export function createSqlUpkeepStorage(database: SqlDatabase): UpkeepStorage {
  return bindStorage<SqlSession, UpkeepReads, UpkeepWrites>(database, (session) => ({
    async findSettings(organizationId) {
      const [row] = await selectSettings(session, { organizationId });
      return row ? toSettings(row) : null;
    },
    async findSummarizedUntil(organizationId) {
      const [row] = await selectSummaries(session, { organizationId });
      return row ? toDate(row.summarized_until) : null;
    },
    putSettings: (settings) => putSettings(session, toRow(settings)),
    async beginSummaries(organizationId, from) {
      const row = { organization_id: organizationId, summarized_until: from.getTime() };
      await insertMany(session, 'probity_runtime_summaries', [row], {
        onConflictDoNothing: ['organization_id'],
      });
    },
    async advanceSummaries(organizationId, from, until) {
      const advanced = session
        .kysely<UpkeepTables>()
        .updateTable('probity_runtime_summaries')
        .set({ summarized_until: until.getTime() })
        .where('organization_id', '=', organizationId)
        .where('summarized_until', '=', from.getTime());
      return (await countChanges(advanced)) > 0;
    },
  }));
}

function toRow({ organizationId, retention, updatedAt }: StoredSettings): SettingsRow {
  return {
    organization_id: organizationId,
    retention_preset: retention.preset,
    personal_scan_days: retention.scansWithPersonalDataDays,
    scan_days: retention.scansDays,
    resolved_alert_days: retention.resolvedAlertsDays,
    updated_at: updatedAt.getTime(),
  };
}

function toSettings(row: SettingsRow): StoredSettings {
  return {
    organizationId: row.organization_id,
    retention: {
      preset: row.retention_preset as RetentionPreset,
      scansWithPersonalDataDays: row.personal_scan_days,
      scansDays: row.scan_days,
      resolvedAlertsDays: row.resolved_alert_days,
    },
    updatedAt: toDate(row.updated_at),
  };
}
