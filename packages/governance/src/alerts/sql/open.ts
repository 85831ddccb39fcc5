import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlSession } from '@probity/core/sql';
import { listPath } from '@probity/core/sql';
import { sql } from 'kysely';
import { createOpenCounts } from '../filter.ts';
import type { OpenAlerts } from '../storage.ts';
import type { AlertTables } from '../tables.ts';

const FIRST = new Date(0);
const LAST = new Date(8_640_000_000_000_000);

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
  const parts = [
    { column: 'created_at', walked: own.where('status', '=', 'open'), since: FIRST, until: at },
    {
      ...{ column: 'resolved_at', walked: own.where('resolved_at', 'is not', null) },
      ...{ since: at, until: LAST },
    },
  ] as const;
  const counts = createOpenCounts();
  for (const { column, walked, since, until } of parts) {
    const time = sql.ref(column);
    const ordered = walked.orderBy(time).orderBy('id');
    const path = listPath(ordered, ordered, { times: { since, until } });
    for (let last: readonly unknown[] | undefined; ; ) {
      const end = await path.endOfSlice(last);
      const from = last
        ? sql<boolean>`(${time}, id) > (${sql.join(last)})`
        : sql<boolean>`${time} >= ${since.getTime()}`;
      const to = end
        ? sql<boolean>`(${time}, id) <= (${sql.join(end)})`
        : sql<boolean>`${time} < ${until.getTime()}`;
      const rows = await walked
        .clearSelect()
        .select('ai_system_id')
        .select((eb) => eb.fn.countAll().as('count'))
        .where(from)
        .where(to)
        // The sum keeps SQLite from an index of creation times for alerts that were resolved later.
        .where(sql<boolean>`created_at + 0 < ${at.getTime()}`)
        .groupBy('ai_system_id')
        .execute();
      for (const row of rows) counts.add(row.ai_system_id, Number(row.count));
      if (!end) break;
      last = end;
      await nextTurn();
    }
  }
  return counts.toList();
}
