import { getLoadablePath } from 'sqlite-vec';
import { byNearness, toUnit } from './nearest.ts';
import type { VectorChanges, VectorMatch, VectorStore } from './types.ts';
import { requireLength } from './types.ts';

/** The part of better-sqlite3's Database that the store uses. */
export interface VectorDatabase {
  loadExtension(path: string): unknown;
  pragma(text: string): unknown;
  exec(sql: string): unknown;
  prepare(sql: string): VectorStatement;
  close(): unknown;
}

/** The part of better-sqlite3's Statement that the store uses. */
export interface VectorStatement {
  run(...parameters: unknown[]): { readonly lastInsertRowid: number | bigint };
  get(...parameters: unknown[]): unknown;
  all(...parameters: unknown[]): unknown[];
}

/** Options of {@link createSqliteVecStore}. */
export interface SqliteVecOptions {
  /**
   * A connection to a file of its own, opened by the caller and closed by the store: the vectors can be made again
   * from the knowledge base, so that backups need not have them.
   */
  readonly database: VectorDatabase;
}

interface CollectionRow {
  readonly id: number;
  readonly sequence: number;
  readonly dimensions: number;
}

/** Beside those asked for, since the extension gives equally near ones in no order. */
const SPARE = 16;
/** The extension gives no more for one search. */
const MAX_MATCHES = 4_096;

/**
 * Keeps vectors in a SQLite file by the extension sqlite-vec, which compares with every vector of the collection:
 * exact. It computes in the process of the caller, about a millisecond for 10,000 vectors of 256 numbers.
 * @throws Error when the extension cannot be loaded
 */
export function createSqliteVecStore({ database }: SqliteVecOptions): VectorStore {
  database.loadExtension(getLoadablePath());
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.exec(`create table if not exists collections (
    id integer primary key, name text not null unique, sequence integer not null, dimensions integer not null)`);
  const byName = database.prepare(
    'select id, sequence, dimensions from collections where name = ?',
  );
  const find = (name: string) => byName.get(name) as CollectionRow | undefined;
  return {
    async position(name) {
      return find(name)?.sequence ?? 0;
    },
    async apply(name, changes) {
      inTransaction(database, () => applyChanges(database, find(name), name, changes));
    },
    async search(name, vector, count) {
      const collection = find(name);
      if (!collection || count < 1) return [];
      requireLength(vector, collection.dimensions);
      return searchTable(database, collection, toUnit(vector), count);
    },
    async drop(name) {
      inTransaction(database, () => {
        const collection = find(name);
        if (!collection) return;
        database.exec(`drop table ${tableOf(collection)}`);
        database.prepare('delete from collections where id = ?').run(collection.id);
      });
    },
    async close() {
      database.close();
    },
  };
}

function inTransaction(database: VectorDatabase, work: () => void): void {
  database.exec('begin immediate');
  try {
    work();
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

/** The table of a collection; its name holds nothing that a caller has given. */
function tableOf({ id }: Pick<CollectionRow, 'id'>): string {
  return `vectors_${id}`;
}

function applyChanges(
  database: VectorDatabase,
  known: CollectionRow | undefined,
  name: string,
  { upserts, removals, sequence }: VectorChanges,
): void {
  const dimensions = known?.dimensions ?? upserts[0]?.vector.length;
  if (dimensions === undefined) return;
  for (const { vector } of upserts) requireLength(vector, dimensions);
  const collection = known ?? createCollection(database, name, dimensions);
  const table = tableOf(collection);
  // The virtual table has no upsert.
  const remove = database.prepare(`delete from ${table} where id = ?`);
  const insert = database.prepare(`insert into ${table} (id, vector) values (?, ?)`);
  for (const id of removals) remove.run(id);
  for (const { id, vector } of upserts) {
    remove.run(id);
    insert.run(id, toUnit(vector));
  }
  database.prepare('update collections set sequence = ? where id = ?').run(sequence, collection.id);
}

function createCollection(
  database: VectorDatabase,
  name: string,
  dimensions: number,
): CollectionRow {
  const { lastInsertRowid } = database
    .prepare('insert into collections (name, sequence, dimensions) values (?, 0, ?)')
    .run(name, dimensions);
  const collection = { id: Number(lastInsertRowid), sequence: 0, dimensions };
  database.exec(
    `create virtual table ${tableOf(collection)} using vec0(id text primary key, vector float[${dimensions}] distance_metric=cosine)`,
  );
  return collection;
}

function searchTable(
  database: VectorDatabase,
  collection: CollectionRow,
  vector: Float32Array,
  count: number,
): VectorMatch[] {
  const statement = database.prepare(
    `select id, distance from ${tableOf(collection)} where vector match ? and k = ? order by distance`,
  );
  let asked = Math.min(count + SPARE, MAX_MATCHES);
  let rows = statement.all(vector, asked) as DistanceRow[];
  // All that are as near as the last one that is asked for compete for its place.
  while (asked < MAX_MATCHES && rows.length === asked && isTied(rows, count)) {
    asked = Math.min(asked * 8, MAX_MATCHES);
    rows = statement.all(vector, asked) as DistanceRow[];
  }
  // A vector without length has no cosine: it is near to nothing.
  const matches = rows.map(({ id, distance }) => ({ id, similarity: 1 - (distance ?? 1) }));
  return matches.sort(byNearness).slice(0, count);
}

interface DistanceRow {
  readonly id: string;
  readonly distance: number | null;
}

function isTied(rows: readonly DistanceRow[], count: number): boolean {
  return rows[count - 1]?.distance === rows.at(-1)?.distance;
}
