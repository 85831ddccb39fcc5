import type { Insertable, InsertQueryBuilder, InsertResult } from 'kysely';
import { sql } from 'kysely';
import { prepareQuery } from './prepared-query.ts';
import type { SqlSession } from './session.ts';

/** Inserts one row. */
export type PreparedInsert<Row> = (session: SqlSession, row: Row) => Promise<void>;

/**
 * Prepares the insertion of one row into `table`, compiled once per dialect.
 *
 * @param columns every column of `Row`
 * @throws Error at the first insertion of a row with a column that is not listed, which would be
 *   left out silently
 *
 * @example
 * const insertAlert = prepareInsert<AlertRow>('probity_alerts', ['id', 'message', 'created_at']);
 * await insertAlert(session, { id: 'alr_1', message: 'A card number', created_at: 0 });
 */
export function prepareInsert<Row extends object>(
  table: string,
  columns: ReadonlyArray<keyof Row & string>,
): PreparedInsert<Row> {
  return prepare<Row>(table, columns, (insert) => insert);
}

/**
 * Prepares the insertion of one row into `table`, or its replacement: where a row with the same
 * values of `key`, the columns of a unique index, exists, all its other columns are overwritten.
 *
 * @param columns every column of `Row`
 * @throws Error at the first row with a column that is not listed
 *
 * @example
 * const putReset = prepareUpsert<ResetRow>('probity_password_resets', ['member_id', 'hash'], ['member_id']);
 */
export function prepareUpsert<Row extends object>(
  table: string,
  columns: ReadonlyArray<keyof Row & string>,
  key: ReadonlyArray<keyof Row & string>,
): PreparedInsert<Row> {
  const others = columns.filter((column) => !key.includes(column));
  const given = Object.fromEntries(others.map((name) => [name, sql.ref(`excluded.${name}`)]));
  return prepare<Row>(table, columns, (insert) =>
    insert.onConflict((conflict) => conflict.columns([...key]).doUpdateSet(given as never)),
  );
}

type Insert<Row> = InsertQueryBuilder<Record<string, Row>, string, InsertResult>;

function prepare<Row extends object>(
  table: string,
  columns: ReadonlyArray<keyof Row & string>,
  complete: (insert: Insert<Row>) => Insert<Row>,
): PreparedInsert<Row> {
  const insert = prepareQuery<Record<string, Row>, Row, object>((db, value) => {
    const values = Object.fromEntries(columns.map((column) => [column, value(column)]));
    return complete(db.insertInto(table).values(values as Insertable<Row>));
  });
  let isChecked = false;
  return async (session, row) => {
    if (!isChecked) requireListed(table, columns, row);
    isChecked = true;
    await insert(session, row);
  };
}

function requireListed(table: string, columns: readonly string[], row: object): void {
  const missing = Object.keys(row).filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  throw new Error(`The insertion into ${table} does not list ${missing.join(', ')}.`);
}
