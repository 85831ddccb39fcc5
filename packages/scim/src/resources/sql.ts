import type { SqlDialect } from '@probity/core/sql';
import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { foldMailbox } from '../filters/compare-values.ts';

/** What the rows of users and groups have in common. Times are milliseconds since 1970. */
export interface ResourceRow {
  organization_id: string;
  id: string;
  external_id: string | null;
  /** JSON. */
  attributes: string;
  version: number;
  created_at: number;
  last_modified_at: number;
}

/**
 * The values of a JSON array of texts, to follow a column: one statement serves any number of them. The planner of
 * PostgreSQL looks up those of an array one by one; for a subquery it may read the table.
 */
export function isAmong(dialect: SqlDialect, json: string): RawBuilder<boolean> {
  return dialect === 'sqlite'
    ? sql<boolean>`in (select value from json_each(${json}))`
    : sql<boolean>`= any(array(select jsonb_array_elements_text(cast(${json} as jsonb))))`;
}

/** Number of characters that indexes hold of a value of any length. */
const INDEXED_CHARACTERS = 200;

/** The part of a text that indexes hold; `substr(text, 1, 200)` in SQL. */
export function toIndexed(text: string): string {
  if (text.length <= INDEXED_CHARACTERS) return text;
  // SQL counts characters, not UTF-16 code units.
  return [...text.slice(0, 2 * INDEXED_CHARACTERS)].slice(0, INDEXED_CHARACTERS).join('');
}

/** The part of an e-mail address that indexes hold, in the form in which it is compared. */
export function toIndexedMailbox(text: string): string {
  return toIndexed(foldMailbox(text));
}
