import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import type { ComparedValues } from './filled-tables.ts';

/** A statement that the server has run, and the call or claim that it was run for. */
export interface RecordedStatement {
  readonly source: string;
  /**
   * Whether it was run for a request, which may count exactly: the total of a list, or what a limit
   * permits. Such a count reads an index alone.
   */
  readonly isRequest: boolean;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The largest page of a list. */
const PAGE = 200;

/** Statements that search; the catalogue of PostgreSQL is not the server's. */
const isChecked = (statement: RecordedStatement) =>
  !isWindowed(statement) && !looksForText(statement) && isSearch(statement);

const isSearch = ({ sql }: RecordedStatement) =>
  /^\s*(?:select|with|update|delete)\b/i.test(sql) && !sql.includes('information_schema');

/** A column that is compared with a parameter, a text or null. */
const COMPARISON = /"?(\w+)"? (?:=|<=?|>=?|is(?: not)?|in) (?=(\?|\$\d+|'[^']*'|null|\())/gi;

/**
 * A statement on a window of a chain, which is 20,000 places at most and found by the index of its places. Lists of
 * records are walked in windows, so that a text can be looked for and what matches be counted.
 */
function isWindowed({ sql }: RecordedStatement): boolean {
  return /"sequence" >= \S+ and \S*"sequence" <= /.test(sql);
}

/** A statement that looks for a text in a slice of a list, which is 5,000 rows at most. */
function looksForText({ sql }: RecordedStatement): boolean {
  return /\b(?:instr|strpos)\(search_text, \S+\) > 0/.test(sql);
}

interface Comparison {
  readonly column: string;
  readonly value: unknown;
}

/** The values that statements compare columns with, by the name of the column. */
export function comparedValues(statements: readonly RecordedStatement[]): ComparedValues {
  const values = new Map<string, Set<unknown>>();
  for (const { column, value } of statements.flatMap(comparisonsOf)) {
    values.set(column, (values.get(column) ?? new Set()).add(value));
  }
  return values;
}

/** Where the columns that a statement selects end, as their conditions choose no rows; 0 for other statements. */
function endOfColumns(sql: string): number {
  if (!/^\s*select\b/i.test(sql)) return 0;
  let depth = 0;
  for (const { 0: text, index } of sql.matchAll(/[()]|\bfrom\b/gi)) {
    if (text === '(') depth += 1;
    else if (text === ')') depth -= 1;
    else if (depth === 0) return index;
  }
  return 0;
}

function comparisonsOf({ sql, parameters }: RecordedStatement): Comparison[] {
  const from = endOfColumns(sql);
  const where = sql.slice(from).search(/\bwhere\b/i);
  if (where < 0) return [];
  const start = from + where;
  const matches = [...sql.matchAll(COMPARISON)].filter(({ index }) => index > start);
  return matches.map(({ index, 0: text, 1: column = '', 2: value = '' }) => {
    if (value === '?') {
      const before = sql.slice(0, index + text.length).split('?').length - 1;
      return { column, value: parameters[before] };
    }
    if (value.startsWith('$')) return { column, value: parameters[Number(value.slice(1)) - 1] };
    return { column, value: value.startsWith("'") ? value.slice(1, -1) : null };
  });
}

/** What is wrong with the plans of the statements on the filled tables, one line for each fault. */
export async function planFaults(
  database: SqlDatabase,
  statements: readonly RecordedStatement[],
): Promise<string[]> {
  const faults: string[] = [];
  for (const statement of statements.filter(isChecked)) {
    const found = await undone(database, (session) =>
      database.dialect === 'sqlite'
        ? sqliteFaults(session, statement)
        : postgresFaults(session, statement),
    );
    faults.push(...found.map((fault) => `${statement.source}: ${fault}: ${statement.sql}`));
  }
  return faults;
}

/** Runs work in a transaction that is rolled back. */
async function undone<T>(
  database: SqlDatabase,
  work: (session: SqlSession) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  const rollback = new Error('rolled back');
  await database
    .transaction(async (session) => {
      result = { value: await work(session) };
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  return (result as { readonly value: T }).value;
}

interface PostgresNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PostgresNode[];
}

/** Runs the statement and compares what its steps read with what they return. */
async function postgresFaults(
  { execute }: SqlSession,
  statement: RecordedStatement,
): Promise<string[]> {
  const { sql, parameters, isRequest } = statement;
  // An index that serves is to be used, which on tables of this size is not always the cheapest.
  for (const method of ['seqscan', 'bitmapscan', 'sort']) {
    await execute(`set local enable_${method} = off`, []);
  }
  const { rows } = await execute<{ 'QUERY PLAN': Array<{ Plan: PostgresNode }> }>(
    `explain (analyze, timing off, format json) ${sql}`,
    parameters,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan as PostgresNode;
  return [...nodesOf(plan)].flatMap((node) => {
    const type = node['Node Type'];
    const loops = node['Actual Loops'];
    const table = node['Relation Name'];
    const removed = (node['Rows Removed by Filter'] ?? 0) * loops;
    const [input] = node.Plans ?? [];
    const sorted = type === 'Sort' && input ? input['Actual Rows'] * loops : 0;
    if (sorted > PAGE) return [`sorts ${sorted} rows`];
    const aggregated = AGGREGATE.test(type) && input ? input['Actual Rows'] * loops : 0;
    // Whether the index alone is read shows on SQLite: here it depends on the rows that were vacuumed.
    const isExact = isRequest && /^Index (?:Only )?Scan$/.test(input?.['Node Type'] ?? '');
    if (aggregated > PAGE && !isExact && !isLimited(input)) return [`counts ${aggregated} rows`];
    if (!table?.startsWith('probity_')) return [];
    if (type === 'Seq Scan' && node['Actual Rows'] * loops + removed > PAGE) {
      return [`scans ${table}`];
    }
    return removed > PAGE ? [`discards ${removed} rows of ${table} (${node['Index Name']})`] : [];
  });
}

const AGGREGATE = /Aggregate$/;

/** Whether no more rows are read than a limit of the statement. */
function isLimited(node: PostgresNode | undefined): boolean {
  const type = node?.['Node Type'];
  return type === 'Limit' || (type === 'Subquery Scan' && isLimited(node?.Plans?.[0]));
}

function* nodesOf(node: PostgresNode): Generator<PostgresNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesOf(child);
}

/** Examines the plan by the content of the tables: SQLite has no figures of a run. */
async function sqliteFaults(
  { execute }: SqlSession,
  statement: RecordedStatement,
): Promise<string[]> {
  const { sql, parameters, isRequest } = statement;
  const { rows } = await execute<{ detail: string }>(`explain query plan ${sql}`, parameters);
  const compared = comparisonsOf(statement).map(({ column }) => column);
  const steps: SqliteStep[] = [];
  for (const { detail } of rows) steps.push(await examineStep(execute, sql, detail));
  const most = Math.max(0, ...steps.map(({ reads }) => reads));
  const counts = /\b(?:count|sum)\(/.test(sql) && !/\blimit\b/.test(sql);
  const searched = new Set(steps.flatMap(({ served }) => served));
  const faults = steps.flatMap(({ detail, scans, reads, columns }) => {
    if (scans && reads > PAGE) return [detail];
    if (SORT.test(detail) && most > PAGE) return [`sorts ${most} rows`];
    const isExact = isRequest && detail.includes('COVERING INDEX');
    if (counts && reads > PAGE && !isExact) return [`counts ${reads} rows`];
    const left = compared.filter(
      (column) => columns.includes(column) && !searched.has(column) && column !== EXPIRY,
    );
    return left.length > 0 && reads > PAGE ? [`reads ${reads} rows to compare ${left}`] : [];
  });
  return faults.length > 0
    ? [`${faults.join('; ')} (${rows.map(({ detail }) => detail).join('; ')})`]
    : [];
}

/** What has expired is removed by retention, so that few rows are read that have. */
const EXPIRY = 'expires_at';

const SORT = /^USE TEMP B-TREE FOR .*ORDER BY$/;

/** The table that a step reads as a whole; null for steps with an index and for derived tables. */
function scannedTable(detail: string, sql: string): string | null {
  const [, name = ''] = /^SCAN (\w+)$/.exec(detail) ?? [];
  if (name.startsWith('probity_')) return name;
  const aliases = sql.matchAll(/"?(probity_\w+)"? as "?(\w+)"?/g);
  return [...aliases].find(([, , alias]) => alias === name)?.[1] ?? null;
}

/** A step of a plan. */
interface SqliteStep {
  readonly detail: string;
  /** Whether it reads a whole table. */
  readonly scans: boolean;
  /** The number of rows that it reads at most. */
  readonly reads: number;
  /** The columns of its table. */
  readonly columns: readonly string[];
  /** The columns that the index compares. */
  readonly served: readonly string[];
}

async function examineStep(
  execute: SqlSession['execute'],
  sql: string,
  detail: string,
): Promise<SqliteStep> {
  const read = async <Row>(query: string) => (await execute<Row>(query, [])).rows;
  const scanned = scannedTable(detail, sql);
  const [, name] = /USING (?:COVERING )?INDEX (\w+)/.exec(detail) ?? [];
  const [index] = await read<{ tbl_name: string; sql: string | null }>(
    `select tbl_name, sql from sqlite_master where name = '${name}'`,
  );
  const table = scanned ?? index?.tbl_name;
  // A step for a reference, such as a cascade, has the rows of others to change.
  const isOther = !scanned && !sql.includes(`${table}`);
  if (!table || isOther) return { detail, scans: false, reads: 0, columns: [], served: [] };
  const columns = await read<{ name: string }>(`select name from pragma_table_info('${table}')`);
  const predicate = /\bwhere\b(.*)$/is.exec(index?.sql ?? '')?.[1];
  const equal = [...detail.matchAll(/(\w+)=\?/g)].map(([, column]) => `"${column}"`);
  const [largest] = await read<{ reads: number }>(
    `select count(*) as reads from ${table} ${predicate ? `where ${predicate}` : ''}
      ${equal.length > 0 ? `group by ${equal}` : ''} order by 1 desc limit 1`,
  );
  const served = [...`${detail} ${predicate ?? ''}`.matchAll(/(\w+)(?: ?[=<>]| is )/g)];
  return {
    detail,
    scans: scanned !== null,
    reads: largest?.reads ?? 0,
    columns: columns.map((column) => column.name),
    served: served.map(([, column = '']) => column),
  };
}
