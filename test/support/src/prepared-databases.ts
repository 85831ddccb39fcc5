import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { once, oncePer } from './once.ts';
import type { TestDatabase } from './postgres.ts';
import { createDatabase } from './postgres.ts';

/** Prepares an empty database for tests; must close its connections before it resolves. */
export type Preparation = (url: string) => Promise<void>;

/** A database that tests use exclusively, one after another. */
interface PreparedDatabase extends TestDatabase {
  uses: number;
  /** The one connection by which it is emptied: opening one costs as much as emptying. */
  readonly cleaner: pg.Pool;
}

/** A preparation's first result, and copies of it that no test is using. */
interface Stock {
  /** Name of the database from which the others are copied. */
  readonly template: string;
  readonly idle: PreparedDatabase[];
  /** The tables that are empty after the preparation. */
  readonly emptyTables: readonly string[];
  readonly fingerprint: string;
}

/** Copying a database costs 100 times as much as emptying one, but deleted rows remain in it. */
const MAX_USES = 50;

/** Tells whether a test left a database unchanged: its schema and its rows. */
const SCHEMA_FACTS = `
  select md5(string_agg(fact, e'\\n' order by fact)) as hash from (
  select concat_ws(' ', 'attribute', c.relname, c.relkind, a.attname, a.atttypid, a.attnotnull) as fact
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace
  union all select concat_ws(' ', 'constraint', conname, convalidated) from pg_constraint
    where connamespace = 'public'::regnamespace
  union all select concat_ws(' ', 'trigger', tgname, tgenabled) from pg_trigger
    where not tgisinternal
  union all select concat_ws(' ', 'function', proname) from pg_proc
    where pronamespace = 'public'::regnamespace
  union all select concat_ws(' ', 'schema', nspname) from pg_namespace
    where nspname not like 'pg_%temp_%'
  ) as facts`;

const stockOf = oncePer(async (prepare: Preparation): Promise<Stock> => {
  const { url, name } = await createDatabase('template0');
  await prepare(url);
  return withClient(url, async (client) => {
    const emptyTables: string[] = [];
    for (const table of await tablesOf(client)) {
      const { rowCount } = await client.query(`select from ${table} limit 1`);
      if (rowCount === 0) emptyTables.push(table);
    }
    const fingerprint = await fingerprintOf(client, emptyTables);
    return { template: name, idle: [], emptyTables, fingerprint };
  });
});

/**
 * Creates a prepared database. The first call for a preparation runs it; further databases are
 * copies of its result. A dropped database is emptied and reused by the next test, unless a test
 * changed anything but rows.
 *
 * @throws Error as `createTestDatabase` does, and any error of the preparation.
 */
export async function createPreparedDatabase(prepare: Preparation): Promise<TestDatabase> {
  const stock = await stockOf(prepare);
  const database = stock.idle.pop() ?? (await copyOf(stock));
  database.uses += 1;
  const drop = once(async () => {
    const isClean = database.uses < MAX_USES && (await empty(database.cleaner, stock));
    if (isClean) stock.idle.push(database);
    else await database.drop();
  });
  return { url: database.url, drop };
}

async function copyOf({ template }: Stock): Promise<PreparedDatabase> {
  const database = await createDatabase(template);
  const cleaner = new pg.Pool({
    connectionString: database.url,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // A test may end every connection to its database; the pool then opens another.
  cleaner.on('error', () => undefined);
  const drop = async () => {
    await cleaner.end();
    await database.drop();
  };
  return { url: database.url, drop, uses: 0, cleaner };
}

/** Ends other connections and deletes all rows; false when the database then still differs. */
async function empty(cleaner: pg.Pool, { emptyTables, fingerprint }: Stock): Promise<boolean> {
  try {
    await endConnections(cleaner);
    const deletions = emptyTables.map((table) => `delete from ${table};`);
    // Without triggers, which also check foreign keys, the order does not matter.
    await cleaner.query(`set session_replication_role = replica; ${deletions.join(' ')}`);
    return (await fingerprintOf(cleaner, emptyTables)) === fingerprint;
  } catch {
    return false;
  }
}

const OTHERS = `from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

/** Closed connections leave the server a moment later; an abrupt end would fail their clients. */
async function endConnections(cleaner: pg.Pool): Promise<void> {
  for (let look = 0; look < 20; look += 1) {
    const { rowCount } = await cleaner.query(`select ${OTHERS}`);
    if (rowCount === 0) return;
    await delay(5);
  }
  await cleaner.query(`select pg_terminate_backend(pid) ${OTHERS}`);
}

type Queryable = pg.Client | pg.Pool;

async function fingerprintOf(client: Queryable, emptyTables: readonly string[]): Promise<string> {
  const facts = await client.query<{ hash: string }>(SCHEMA_FACTS);
  const lines = facts.rows.map(({ hash }) => hash);
  for (const table of await tablesOf(client)) {
    if (emptyTables.includes(table)) continue;
    const { rows } = await client.query(`select t::text as row from ${table} t order by row`);
    lines.push(table, ...rows.map(({ row }) => String(row)));
  }
  return lines.join('\n');
}

async function tablesOf(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
