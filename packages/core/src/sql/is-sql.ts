import type { Database } from '../storage/database.ts';
import type { SqlDatabase } from './database.ts';

/** Whether a database is SQLite or PostgreSQL. */
export function isSqlDatabase(database: Database): database is SqlDatabase {
  return 'dialect' in database;
}
