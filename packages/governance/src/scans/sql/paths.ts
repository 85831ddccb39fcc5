import type { ListPath, SqlSession } from '@probity/core/sql';
import { compares, equalityPaths, listPath } from '@probity/core/sql';
import { sql } from 'kysely';
import type { Mark } from '../filter.ts';
import { marksOf } from '../filter.ts';
import type { ScanFilter } from '../types.ts';
import type { ScanRow, ScanTables } from './tables.ts';

/** One path for each column and each mark that the filter asks for. */
export function pathsToScans(
  session: SqlSession,
  organizationId: string,
  filter: ScanFilter,
): Array<ListPath<ScanRow>> {
  const marks = marksOf(filter);
  const { verdict, keyId, aiSystemId } = filter;
  const columns = { verdict, key_id: keyId, ai_system_id: aiSystemId };
  const asksForColumn = Object.values(columns).some((value) => value !== undefined);
  const ofMarks = marks.map((mark) => pathOfMark(session, organizationId, filter, mark));
  return marks.length > 0 && !asksForColumn
    ? ofMarks
    : [...pathsOfColumns(session, organizationId, filter, columns), ...ofMarks];
}

/** Found by a column of the scans, or all; the marks are looked up. */
function pathsOfColumns(
  session: SqlSession,
  organizationId: string,
  filter: ScanFilter,
  columns: Record<'verdict' | 'key_id' | 'ai_system_id', string | undefined>,
): Array<ListPath<ScanRow>> {
  const { since, until } = filter;
  const newest = session
    .kysely<ScanTables>()
    .selectFrom('probity_scans')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  const marks = marksOf(filter);
  const others =
    marks.length === 0
      ? undefined
      : sql<boolean>`${sql.join(
          marks.map((mark) =>
            hasMark(organizationId, mark, 'probity_scans.created_at', 'probity_scans.id'),
          ),
          sql` and `,
        )}`;
  return equalityPaths(newest, columns, { others, times: { since, until } });
}

/** Found by a mark; the columns of the scan are compared, and the other marks are looked up. */
function pathOfMark(
  session: SqlSession,
  organizationId: string,
  filter: ScanFilter,
  mark: Mark,
): ListPath<ScanRow> {
  const { verdict, keyId, aiSystemId, since, until } = filter;
  const walked = session
    .kysely<ScanTables>()
    .selectFrom('probity_scan_marks as mark')
    .where('mark.organization_id', '=', organizationId)
    .where('mark.kind', '=', mark.kind)
    .where('mark.value', '=', mark.value)
    .orderBy('mark.created_at', 'desc')
    .orderBy('mark.scan_id', 'desc');
  const others = marksOf(filter).filter(({ kind }) => kind !== mark.kind);
  let matching = walked
    .innerJoin('probity_scans as scan', 'scan.id', 'mark.scan_id')
    .selectAll('scan');
  for (const other of others) {
    matching = matching.where(hasMark(organizationId, other, 'mark.created_at', 'mark.scan_id'));
  }
  if (verdict !== undefined) matching = matching.where(compares('scan.verdict', verdict));
  if (keyId !== undefined) matching = matching.where(compares('scan.key_id', keyId));
  if (aiSystemId !== undefined) {
    matching = matching.where(compares('scan.ai_system_id', aiSystemId));
  }
  const isExact = [verdict, keyId, aiSystemId, ...others].every((each) => each === undefined);
  return listPath(walked, matching, { isExact, times: { since, until } });
}

/** That the scan of a row has a mark, by the key of the marks. */
function hasMark(organizationId: string, { kind, value }: Mark, createdAt: string, scanId: string) {
  return sql<boolean>`exists (select 1 from probity_scan_marks as further
    where further.organization_id = ${organizationId} and further.kind = ${kind} and further.value = ${value}
      and further.created_at = ${sql.ref(createdAt)} and further.scan_id = ${sql.ref(scanId)})`;
}
