/** One statement: in the SQL that SQLite and PostgreSQL share, or one text for each of them. */
type MigrationStatement = string | { readonly sqlite: string; readonly postgres: string };

/** A step of a schema; never edited after a release. */
export interface Migration {
  /** `package/number_title`; packages migrate separately, in the order of their lists. */
  readonly name: string;
  readonly statements: readonly MigrationStatement[];
}
