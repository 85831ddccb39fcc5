import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlDialect } from './session.ts';

/**
 * That a column has one of the texts in a parameter that is a JSON array: one statement for any number of them, which
 * stays prepared. PostgreSQL reads an array first, and looks each of its texts up in the index; a subquery it takes
 * to be so long that it may read the whole table instead, also in a plan that it keeps while the table grows.
 *
 * @param column its name, with that of its table where a query has several
 */
export function isAmong(dialect: SqlDialect, column: string, json: unknown): RawBuilder<boolean> {
  return dialect === 'postgres'
    ? sql<boolean>`${sql.ref(column)} = any(array(select json_array_elements_text(cast(${json} as json))))`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${json}))`;
}
