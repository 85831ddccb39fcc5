import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';

/** The tables of the shop, beside which Probity's begin with `probity_`. */
interface ShopTables {
  orders: { id: string; company: string; boxes: number; shipped: number };
  labels: { tracking: string; order_id: string };
}

/** Opens the shop's database. */
export function openDatabase(path: string): Kysely<ShopTables> {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.exec(`
    create table if not exists orders (
      id text primary key, company text not null, boxes integer not null, shipped integer not null
    );
    create table if not exists labels (tracking text primary key, order_id text not null)`);
  return new Kysely({ dialect: new SqliteDialect({ database }) });
}
