/** A step of a schema; never edited after a release. */
export interface Migration {
  /** `package/number_title`; packages migrate separately, in the order of their lists. */
  readonly name: string;
  /** Statements in the SQL that SQLite and PostgreSQL share. */
  readonly statements: readonly string[];
}
