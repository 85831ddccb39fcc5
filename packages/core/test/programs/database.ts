import type { SqlDatabase } from '../../src/sql/database.ts';
import { createPostgresDatabase } from '../../src/sql/postgres.ts';
import { createSqliteDatabase } from '../../src/sql/sqlite.ts';

/** Long ones: several programs at once on a busy machine may have to wait for each other. */
const PATIENCE_MS = 120_000;

/** Opens the database that a program's argument names: `sqlite:<path>` or a PostgreSQL URL. */
export function openDatabase(url: string): SqlDatabase {
  return url.startsWith('sqlite:')
    ? createSqliteDatabase({ path: url.slice('sqlite:'.length), busyTimeoutMs: PATIENCE_MS })
    : createPostgresDatabase({
        url,
        connectTimeoutMs: PATIENCE_MS,
        statementTimeoutMs: PATIENCE_MS,
      });
}
