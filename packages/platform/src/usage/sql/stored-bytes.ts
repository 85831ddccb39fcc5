import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlSession } from '@probity/core/sql';
import { sql } from 'kysely';
import type { StoredBytes } from '../storage.ts';

const SAMPLE_ROWS = 200;

/** A host may have tables of its own in the database, with columns of the same names. */
const OWN_TABLES = "'probity!_%' escape '!'";

interface TableColumn {
  readonly table_name: string;
  readonly column_name: string;
}

/** Estimates the stored bytes of an organization; see `UsageReads.estimateStoredBytes`. */
export async function estimateStoredBytes(
  session: SqlSession,
  organizationId: string,
): Promise<StoredBytes> {
  const columnsByTable = await listOrganizationTables(session);
  let bytes = 0;
  let rows = 0;
  for (const [table, columns] of columnsByTable) {
    const found = await estimateTable(session, table, columns, organizationId);
    bytes += found.bytes;
    rows += found.rows;
    // SQLite counts within the process, which has other requests.
    await nextTurn();
  }
  return { bytes: Math.round(bytes), rows };
}

/** Columns of every table of Probity, of any package, that identify the organization of a row. */
async function listOrganizationTables(session: SqlSession): Promise<Map<string, string[]>> {
  const { rows } = await session.execute<TableColumn>(
    session.dialect === 'sqlite'
      ? `select m.name as table_name, p.name as column_name
         from sqlite_master m, pragma_table_info(m.name) p
         where m.type = 'table' and m.name like ${OWN_TABLES}`
      : `select table_name, column_name from information_schema.columns
         where table_schema = current_schema() and table_name like ${OWN_TABLES}`,
    [],
  );
  const columnsByTable = new Map<string, string[]>();
  for (const { table_name: table, column_name: column } of rows) {
    columnsByTable.set(table, [...(columnsByTable.get(table) ?? []), column]);
  }
  for (const [table, columns] of columnsByTable) {
    if (!columns.includes('organization_id')) columnsByTable.delete(table);
  }
  return columnsByTable;
}

async function estimateTable(
  session: SqlSession,
  table: string,
  columns: readonly string[],
  organizationId: string,
): Promise<StoredBytes> {
  const rowsOf = sql`from ${sql.table(table)} where organization_id = ${organizationId}`;
  const sizes = columns.map(
    (column) => sql`coalesce(octet_length(cast(${sql.ref(column)} as text)), 0)`,
  );
  const query = sql<{ total: number; sampled: number; bytes: number }>`
    select (select count(*) ${rowsOf}) as total, count(*) as sampled, coalesce(sum(size), 0) as bytes
    from (select ${sql.join(sizes, sql` + `)} as size ${rowsOf} limit ${sql.lit(SAMPLE_ROWS)}) as sample`;
  const { rows } = await query.execute(session.kysely<object>());
  const { total, sampled, bytes } = rows[0] as { total: number; sampled: number; bytes: number };
  const mean = Number(sampled) === 0 ? 0 : Number(bytes) / Number(sampled);
  return { bytes: Number(total) * mean, rows: Number(total) };
}
