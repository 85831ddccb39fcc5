/** One statement: in the SQL that SQLite and PostgreSQL share, or one text for each of them. */
export type MigrationStatement = string | { readonly sqlite: string; readonly postgres: string };

/** A step of a schema that one transaction applies. */
interface StatementsMigration {
  /** `package/number_title`; packages migrate separately, in the order of their lists. */
  readonly name: string;
  readonly statements: readonly MigrationStatement[];
  readonly slices?: undefined;
}

/**
 * A step that rewrites the rows of a large table. Each slice is a separate transaction of about
 * 100 ms, so that a running server goes on, and a killed process continues where it stopped.
 */
interface SlicedMigration {
  readonly name: string;
  readonly slices: MigrationSlices;
  readonly statements?: undefined;
}

/** How a sliced migration walks its table. */
export interface MigrationSlices {
  readonly table: string;
  /** A column of the table with a unique index that is never null, text or a number. */
  readonly key: string;
  /**
   * The statement of each slice, with `:rows` once where the condition on the key belongs, as in
   * `update orders set state = 'new' where :rows`. It must be harmless to run for rows that are added
   * meanwhile in their new form.
   */
  readonly statement: MigrationStatement;
}

/** A step of a schema; never edited after a release. */
export type Migration = StatementsMigration | SlicedMigration;
