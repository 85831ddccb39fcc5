/** PostgreSQL translates its messages, but not names. */
const OWN_TABLE = /\bprobity_\w+/;
const SQLITE_MESSAGE = /^no such table: (?:main\.)?(probity_\w+)/;

/** The table of Probity that a statement did not find; undefined for any other error. */
export function missingTableOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (code === '42P01') return OWN_TABLE.exec(error.message)?.[0];
  return SQLITE_MESSAGE.exec(error.message)?.[1];
}

/** The error for a table that is missing because the migrations were forgotten. */
export function missingTableError(table: string, cause: unknown): Error {
  const message =
    `The database lacks the table ${table}: apply Probity's migrations (await probity.migrate(), or ` +
    'await migrate(database, [...coreMigrations, ...]) with those of every package in use).';
  return new Error(message, { cause });
}
