import type { HostKysely, HostSqlite, PgPool } from '../sql/host.ts';
import type { Database } from '../storage/database.ts';

/**
 * Where Probity stores: `sqlite:PATH`, `postgres://…`, `memory`, a pg `Pool`, a `Kysely`, an open
 * better-sqlite3 `Database`, or a database created with `@probity/core/sql`.
 */
export type DatabaseOption = string | Database | PgPool | HostKysely | HostSqlite;
