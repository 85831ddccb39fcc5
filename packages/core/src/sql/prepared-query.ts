import { createHash } from 'node:crypto';
import type { Compilable, Kysely, RawBuilder } from 'kysely';
import { createSessionKysely } from './kysely-session.ts';
import type { SqlDialect, SqlSession } from './session.ts';

/** A value passed each time the query runs. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Returns the typed placeholder of a value. */
type PlaceholderOf<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/** A query that is built and compiled once per dialect and then only executed. */
export type PreparedQuery<Values, Row> = (session: SqlSession, values: Values) => Promise<Row[]>;

/**
 * Prepares a hot query: `build` is called once per dialect, with a function that returns typed
 * placeholders for the values. Building and compiling with Kysely costs more than running a small
 * query.
 *
 * @example
 * const findByHash = prepareQuery<Tables, { hash: string }, Row>((db, value) =>
 *   db.selectFrom('probity_api_keys').selectAll().where('hash', '=', value('hash')));
 * const rows = await findByHash(session, { hash });
 */
export function prepareQuery<Tables, Values extends object, Row>(
  build: (db: Kysely<Tables>, value: PlaceholderOf<Values>, dialect: SqlDialect) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const compile = (dialect: SqlDialect) => {
    const db = createSessionKysely<Tables>(dialect, refuseExecution);
    const { sql, parameters } = build(
      db,
      (name) => new Parameter(name) as unknown as never,
      dialect,
    ).compile();
    return { sql, parameters, name: statementName(sql) };
  };
  const compiled = new Map<SqlDialect, ReturnType<typeof compile>>();
  return async (session, values) => {
    let query = compiled.get(session.dialect);
    if (!query) {
      query = compile(session.dialect);
      compiled.set(session.dialect, query);
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Parameter ? values[parameter.name as keyof Values] : parameter,
    );
    const { rows } = await session.execute<Row>(query.sql, parameters, { name: query.name });
    return rows;
  };
}

/** Like {@link prepareQuery}, for a query that is written as text. */
export function prepareSql<Values extends object, Row>(
  build: (value: PlaceholderOf<Values>, dialect: SqlDialect) => RawBuilder<Row>,
): PreparedQuery<Values, Row> {
  return prepareQuery<unknown, Values, Row>((db, value, dialect) => ({
    compile: () => build(value, dialect).compile(db),
  }));
}

/** Name of a prepared statement in PostgreSQL. */
export function statementName(sql: string): string {
  return createHash('sha256').update(sql).digest('base64url').slice(0, 32);
}

/** Executes nothing: for a Kysely that only compiles. */
export async function refuseExecution(): Promise<never> {
  throw new Error('A prepared query is only compiled here.');
}
