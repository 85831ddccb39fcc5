import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createSqliteDatabase, migrate } from '@probity/core/sql';
import { migrations } from '@probity/standalone';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';

/** The number of rows that are added to each table. */
const ROWS = 2000;

/** Tables of SCIM, whose plans packages/scim/test/plans.test.ts looks at. */
export const OF_SCIM: RegExp = /probity_scim_(?:users|user_emails|groups|group_members|requests)/;

/** Other values of a reference to another row, and of another text. */
const OTHER_REFERENCES = 100;
const OTHER_TEXTS = 5;

const DAY_MS = 86_400_000;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

interface Reference {
  readonly from: string;
  readonly table: string;
  readonly to: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly references: readonly Reference[];
  /** The columns that hold a different value in each row. */
  readonly unique: ReadonlySet<string>;
  /** The number of indexes besides those of keys and unique columns. */
  readonly searches: number;
}

/** Values that statements compare a column of this name with. */
export type ComparedValues = ReadonlyMap<string, ReadonlySet<unknown>>;

/**
 * Adds some thousand rows to every table that grows, by the columns, references and unique indexes that the
 * migrations declare: a third of them with the values that are stored already or that `compared`
 * names. Rows hold no valid records, so that the server cannot read them.
 */
export async function fillTables(
  t: TestLifetime,
  database: SqlDatabase,
  compared: ComparedValues,
): Promise<void> {
  const tables = await declaredTables(t);
  await database.transaction(async (session) => {
    const filled = tables.filter(growsIn(tables)).filter(({ name }) => !OF_SCIM.test(name));
    for (const table of filled) await fill(session, table, compared);
    // On SQLite the server never does, and the planner then goes by the indexes alone.
    if (session.dialect === 'postgres') await session.execute('analyze', []);
  });
}

/**
 * Whether a table has a row for each of something: it refers to another table, another one refers to
 * it, or an index searches it. Others hold the state of the installation in a few rows.
 */
function growsIn(tables: readonly Table[]): (table: Table) => boolean {
  const named = new Set(tables.flatMap(({ references }) => references.map(({ table }) => table)));
  return ({ name, references, searches }) =>
    references.length > 0 || named.has(name) || searches > 0;
}

/** The tables in the order of their creation: a table is declared after those that it refers to. */
async function declaredTables(t: TestLifetime): Promise<Table[]> {
  const schema = createSqliteDatabase({ path: `${temporaryFolder(t).path}/schema.db` });
  await migrate(schema, migrations);
  const read = async <Row>(sql: string) => (await schema.reader.execute<Row>(sql, [])).rows;
  const tables: Table[] = [];
  const names = await read<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name like 'probity\\_%' escape '\\'",
  );
  for (const { name } of names) {
    const columns = await read<Column>(`select * from pragma_table_info('${name}')`);
    const all = await read<{ name: string; unique: number }>(
      `select * from pragma_index_list('${name}')`,
    );
    const indexes = all.filter((index) => index.unique === 1);
    const references = await read<Reference>(`select * from pragma_foreign_key_list('${name}')`);
    const unique = new Set<string>();
    for (const index of indexes) {
      const indexed = await read<{ name: string }>(
        `select name from pragma_index_info('${index.name}')`,
      );
      const names = indexed.map((column) => column.name);
      // A reference has many rows, if another column can be the one that differs.
      const isOwn = (column: string) => references.every(({ from }) => from !== column);
      unique.add(names.findLast(isOwn) ?? (names[0] as string));
    }
    tables.push({ name, columns, references, unique, searches: all.length - indexes.length });
  }
  await schema.close();
  return tables;
}

async function fill(session: SqlSession, table: Table, compared: ComparedValues): Promise<void> {
  const values: string[] = [];
  const json = await jsonColumns(session, table.name);
  for (const [index, column] of table.columns.entries()) {
    const { name, notnull } = column;
    if (json.has(name)) {
      values.push("cast('{}' as jsonb)");
      continue;
    }
    const reference = table.references.find(({ from }) => from === name);
    const stored = await storedValues(
      session,
      reference?.table ?? table.name,
      reference?.to ?? name,
    );
    const own = reference ? stored : [...stored, ...(compared.get(name) ?? [])];
    const value = expressionOf(table, column, index, own);
    const isOptional = notnull === 0 && !table.unique.has(name);
    values.push(
      isOptional ? `case when ${spread(index, 3)} = 0 then null else ${value} end` : value,
    );
  }
  const columns = table.columns.map(({ name }) => `"${name}"`).join(', ');
  await session.execute(
    `with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${ROWS})
      insert into ${table.name} (${columns}) select ${values.join(', ')} from numbers`,
    [],
  );
}

/** The columns that PostgreSQL reads as JSON, which takes no other text. */
async function jsonColumns(session: SqlSession, table: string): Promise<ReadonlySet<string>> {
  if (session.dialect === 'sqlite') return new Set();
  const { rows } = await session.execute<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = current_schema() and table_name = $1 and data_type = 'jsonb'`,
    [table],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Up to three values of a column, those of the first rows. */
async function storedValues(
  session: SqlSession,
  table: string,
  column: string,
): Promise<unknown[]> {
  const { rows } = await session.execute<{ value: unknown }>(
    `select distinct "${column}" as value from ${table}
      where "${column}" is not null and cast("${column}" as text) not like 'filled\\_%' escape '\\'
      order by 1 limit 3`,
    [],
  );
  return rows.map(({ value }) => value);
}

/** The SQL expression of a column's value in row `i`. */
function expressionOf(
  { references, unique }: Table,
  { name, type }: Column,
  index: number,
  own: readonly unknown[],
): string {
  if (unique.has(name)) return type === 'TEXT' ? "'filled_' || i" : '100000 + i';
  if (type === 'INTEGER') return spread(index, 2);
  if (type !== 'TEXT') {
    // What has expired is removed by retention.
    const firstDay = name === 'expires_at' ? 1 : -250;
    const start = Date.now() + firstDay * DAY_MS;
    return `${start} + ${spread(index, 300)} * cast(${DAY_MS} as bigint)`;
  }
  const isReference = references.some(({ from }) => from === name);
  const others = isReference ? OTHER_REFERENCES : OTHER_TEXTS;
  const other = `'filled_' || (1 + ${spread(index + 1, others)})`;
  const texts = [...new Set(own)].filter((value) => typeof value === 'string');
  if (texts.length === 0) return other;
  const cases = texts.map((text, at) => `when ${at} then '${text.replaceAll("'", "''")}'`);
  // Two thirds are spread over the other values.
  return `case ${spread(index, texts.length * 3)} ${cases.join(' ')} else ${other} end`;
}

/** A number from 0 to `count` - 1 that depends on the row and differs between columns. */
function spread(index: number, count: number): string {
  return `(i * ${7919 + 131 * index} % 10007 % ${count})`;
}
