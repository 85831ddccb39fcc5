import type { SqlSession } from '@probity/core/sql';
import { countGroups, listPath } from '@probity/core/sql';
import { sql } from 'kysely';
import { createOpenCounts } from '../filter.ts';
import type { OpenAlerts } from '../storage.ts';
import type { AlertTables } from '../tables.ts';

/**
 * Counts in the database, in slices between which others are served: the alerts that are open now, by the index of their
 * status, and those resolved since, by the index of that time.
 */
export async function countOpenAlerts(
  session: SqlSession,
  organizationId: string,
  at: Date,
): Promise<OpenAlerts[]> {
  const own = session
    .kysely<AlertTables>()
    .selectFrom('probity_alerts')
    .select('id')
    .where('organization_id', '=', organizationId);
  const open = own.where('status', '=', 'open').orderBy('created_at').orderBy('id');
  const resolved = own.where('resolved_at', 'is not', null).orderBy('resolved_at').orderBy('id');
  // The sum keeps SQLite from an index of creation times.
  const resolvedLater = resolved.where(sql<boolean>`created_at + 0 < ${at.getTime()}`);
  const counts = createOpenCounts();
  for (const path of [
    listPath(open, open, { times: { until: at } }),
    listPath(resolved, resolvedLater, { times: { since: at } }),
  ]) {
    await countGroups([path], { system: sql.ref('ai_system_id') }, ({ key, count }) =>
      counts.add(key.system as string | null, count),
    );
  }
  return counts.toList();
}
