import type { SqlDatabase } from '../../src/sql/database.ts';
import { createPostgresDatabase } from '../../src/sql/postgres.ts';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';

/** Opens the database that a program's argument names: `sqlite:<path>` or a PostgreSQL URL. */
export function openDatabase(url: string): SqlDatabase {
  return url.startsWith('sqlite:')
    ? createSqliteDatabase({ path: url.slice('sqlite:'.length) })
    : createPostgresDatabase({ url });
}
