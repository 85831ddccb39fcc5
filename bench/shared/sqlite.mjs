/** Opens a database file as durably as Probity does: WAL, and a sync at every commit. */
export async function openSqlite(path) {
  const name = Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3';
  const { default: Database } = await import(name);
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  return database;
}
