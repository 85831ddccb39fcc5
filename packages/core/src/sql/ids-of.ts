import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlDialect } from './session.ts';

/**
 * A subquery of the texts in a parameter that is a JSON array: one statement for any number of ids, which stays
 * prepared.
 */
export function idsOf(dialect: SqlDialect, json: unknown): RawBuilder<string> {
  return dialect === 'postgres'
    ? sql<string>`(select json_array_elements_text(cast(${json} as json)))`
    : sql<string>`(select value from json_each(${json}))`;
}
