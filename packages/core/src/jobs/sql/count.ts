import type { SelectQueryBuilder } from 'kysely';
import { countRows } from '../../sql/page-of.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { JobTables } from './rows.ts';

/** Number of the selected jobs; with `max` no more are read. */
export function countJobs<Table extends keyof JobTables>(
  session: SqlSession,
  jobs: SelectQueryBuilder<JobTables, Table, object>,
  max?: number,
): Promise<number> {
  if (max === undefined) return countRows(jobs);
  const found = jobs.select((eb) => eb.lit(1).as('one')).limit(max);
  return countRows(session.kysely<JobTables>().selectFrom(found.as('found')));
}
