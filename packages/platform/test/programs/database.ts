import type { SqlDatabase } from '@probity/core/sql';
import { createPostgresDatabase, createSqliteDatabase } from '@probity/core/sql';

/** Concurrent programs on a busy machine may have to wait for each other. */
const TIMEOUT_MS = 120_000;

/** Opens the database that a program's argument names: `sqlite:<path>` or a PostgreSQL URL. */
export function openDatabase(url: string): SqlDatabase {
  return url.startsWith('sqlite:')
    ? createSqliteDatabase({ path: url.slice('sqlite:'.length), busyTimeoutMs: TIMEOUT_MS })
    : createPostgresDatabase({
        url,
        connectTimeoutMs: TIMEOUT_MS,
        statementTimeoutMs: TIMEOUT_MS,
      });
}
