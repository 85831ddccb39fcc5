import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqlSession } from '@probity/core/sql';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { StoredBytes } from '../storage.ts';

const SAMPLE_ROWS = 200;

/** Rows of a table that are counted one by one; of a larger one a sample tells the organization's share. */
const COUNTED_ROWS = 20_000;

/** Rows of the sample of a large table on SQLite, at equal distances. */
const SAMPLED_ROWS = 1_000;

/** Pages of the sample of a large table on PostgreSQL. */
const SAMPLED_PAGES = 400;

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
  const query = sql<{ counted: number; sampled: number; bytes: number }>`
    select (select count(*) from (select 1 ${rowsOf} limit ${sql.lit(COUNTED_ROWS)}) as counted_rows) as counted,
    count(*) as sampled, coalesce(sum(size), 0) as bytes
    from (select ${sql.join(sizes, sql` + `)} as size ${rowsOf} limit ${sql.lit(SAMPLE_ROWS)}) as sample`;
  const { rows: found } = await query.execute(session.kysely<object>());
  const { counted, sampled, bytes } = found[0] as {
    counted: number;
    sampled: number;
    bytes: number;
  };
  const mean = Number(sampled) === 0 ? 0 : Number(bytes) / Number(sampled);
  const countedRows = Number(counted);
  const total =
    countedRows < COUNTED_ROWS
      ? countedRows
      : Math.max(countedRows, await estimateRows(session, table, organizationId));
  return { bytes: total * mean, rows: countedRows };
}

/**
 * Estimates the organization's rows of a large table by its share of a sample, which is the same for the
 * same table. Rows of a time are near each other, so the sample is taken from all of the table.
 */
async function estimateRows(
  session: SqlSession,
  table: string,
  organizationId: string,
): Promise<number> {
  const sample = session.dialect === 'sqlite' ? sampleOfSqlite : sampleOfPostgres;
  const { rows } = await sample(table, organizationId).execute(session.kysely<object>());
  const { own, share } = rows[0] as { own: number; share: number };
  return Math.round(Number(own) / Number(share));
}

/** Counts the organization's rows in a sample, and tells the share of the table that was looked at. */
interface Sample {
  readonly own: number;
  readonly share: number;
}

/** Row ids ascend with time; those of deleted rows are looked at in vain, and count as of no one. */
function sampleOfSqlite(table: string, organizationId: string): RawBuilder<Sample> {
  const last = sql.lit(SAMPLED_ROWS - 1);
  return sql`
    with recursive
      range(first, span) as (
        select (select min(rowid) from ${sql.table(table)}),
          (select max(rowid) from ${sql.table(table)}) - (select min(rowid) from ${sql.table(table)})
      ),
      probe(i) as (select 0 union all select i + 1 from probe where i < ${last})
    select count(*) as own, ${sql.lit(SAMPLED_ROWS)} * 1.0 / ((select span from range) + 1) as share
    from range cross join probe
    cross join ${sql.table(table)} as sampled
    where sampled.rowid = first + span * i / ${last} and sampled.organization_id = ${organizationId}`;
}

/** Its pages are chosen by chance, and may have no rows, so their number is known within some percent. */
function sampleOfPostgres(table: string, organizationId: string): RawBuilder<Sample> {
  const pages = sql`(pg_relation_size(${sql.lit(table)}) / current_setting('block_size')::bigint)`;
  const share = sql`least(1, ${sql.lit(SAMPLED_PAGES)}::double precision / ${pages})`;
  return sql`
    select count(*) as own, ${share} as share
    from ${sql.table(table)} tablesample system (100 * ${share}) repeatable (1)
    where organization_id = ${organizationId}`;
}
