import type { UnitChanges } from './changes.ts';
import { toUnitChanges } from './changes.ts';
import type { Candidate } from './nearest.ts';
import { rankNearest, toUnit } from './nearest.ts';
import type { VectorChanges, VectorFilter, VectorMatch } from './types.ts';
import { requireLength } from './types.ts';

/** The part of better-sqlite3's Database that the store uses. */
export interface VectorDatabase {
  loadExtension(path: string): unknown;
  pragma(text: string, options?: { simple?: boolean }): unknown;
  exec(sql: string): unknown;
  prepare(sql: string): VectorStatement;
  close(): unknown;
}

/** The part of better-sqlite3's Statement that the store uses. */
interface VectorStatement {
  run(...parameters: unknown[]): { readonly lastInsertRowid: number | bigint };
  get(...parameters: unknown[]): unknown;
  all(...parameters: unknown[]): unknown[];
}

interface CollectionRow {
  readonly id: number;
  readonly sequence: number;
  /** 0 before the first vector: there is no table yet. */
  readonly dimensions: number;
}

/** The form of the file; one of another form is made anew, since all of it can be. */
const VERSION = 2;
/** The extension gives no more for one search. */
const MAX_MATCHES = 4_096;
/** The category of a nugget without one; the extension knows no null. */
const NO_CATEGORY = '';

/** The store on an open file, without a break; see `VectorStore` for what its methods do. */
export function openVectorFile(database: VectorDatabase, extension: string) {
  database.loadExtension(extension);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  inTransaction(database, () => prepareTables(database));
  const byName = database.prepare(
    'select id, sequence, dimensions from collections where name = ?',
  );
  const names = database.prepare('select name from collections');
  const find = (name: string) => byName.get(name) as CollectionRow | undefined;
  return {
    position(name: string): number {
      return find(name)?.sequence ?? 0;
    },
    apply(name: string, changes: VectorChanges): boolean {
      return inTransaction(database, () => applyChanges(database, find(name), name, changes));
    },
    async search(
      name: string,
      vector: Float32Array,
      count: number,
      filter: VectorFilter = {},
    ): Promise<VectorMatch[]> {
      const collection = find(name);
      if (!collection || collection.dimensions === 0 || count < 1) return [];
      requireLength(vector, collection.dimensions);
      const query = toUnit(vector);
      if (!query) return [];
      return rankNearest(query, count, (limit) =>
        limit > MAX_MATCHES
          ? readAll(database, collection, filter)
          : findNearest(database, collection, query, limit, filter),
      );
    },
    collections(): string[] {
      return (names.all() as { name: string }[]).map(({ name }) => name);
    },
    drop(name: string): null {
      return inTransaction(database, () => {
        const collection = find(name);
        if (collection) dropCollection(database, collection);
        return null;
      });
    },
    close(): void {
      database.close();
    },
  };
}

function inTransaction<Result>(database: VectorDatabase, work: () => Result): Result {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

function prepareTables(database: VectorDatabase): void {
  const version = database.pragma('user_version', { simple: true });
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name = 'collections'")
    .all();
  if (version !== VERSION && tables.length > 0) {
    const old = database.prepare('select id, 1 as dimensions from collections').all();
    for (const collection of old as CollectionRow[]) dropCollection(database, collection);
    database.exec('drop table collections');
  }
  database.exec(`create table if not exists collections (
    id integer primary key autoincrement, name text not null unique, sequence integer not null, dimensions integer not null)`);
  database.pragma(`user_version = ${VERSION}`);
}

/** The table of a collection; its name holds nothing that a caller has given. */
function tableOf({ id }: Pick<CollectionRow, 'id'>): string {
  return `vectors_${id}`;
}

function dropCollection(database: VectorDatabase, collection: CollectionRow): void {
  if (collection.dimensions > 0) database.exec(`drop table ${tableOf(collection)}`);
  database.prepare('delete from collections where id = ?').run(collection.id);
}

function applyChanges(
  database: VectorDatabase,
  known: CollectionRow | undefined,
  name: string,
  changes: VectorChanges,
): boolean {
  const units = toUnitChanges(known?.dimensions ?? 0, changes);
  if ((known?.sequence ?? 0) !== changes.after) return false;
  const id = known?.id ?? insertCollection(database, name);
  if (units.length > 0 && (known?.dimensions ?? 0) === 0) {
    database.exec(
      `create virtual table ${tableOf({ id })} using vec0(id text primary key, vector float[${units.length}] distance_metric=cosine, category text)`,
    );
  }
  if (units.length > 0) storeVectors(database, tableOf({ id }), units);
  database
    .prepare('update collections set sequence = ?, dimensions = ? where id = ?')
    .run(changes.sequence, units.length, id);
  return true;
}

function insertCollection(database: VectorDatabase, name: string): number {
  const { lastInsertRowid } = database
    .prepare('insert into collections (name, sequence, dimensions) values (?, 0, 0)')
    .run(name);
  return Number(lastInsertRowid);
}

function storeVectors(
  database: VectorDatabase,
  table: string,
  { upserts, removals }: UnitChanges,
): void {
  // The virtual table has no upsert.
  const remove = database.prepare(`delete from ${table} where id = ?`);
  const insert = database.prepare(`insert into ${table} (id, vector, category) values (?, ?, ?)`);
  for (const id of removals) remove.run(id);
  for (const { id, vector, category } of upserts) {
    remove.run(id);
    insert.run(id, vector, category ?? NO_CATEGORY);
  }
}

interface FoundRow {
  readonly id: string;
  readonly distance: number;
  readonly vector: Uint8Array;
}

function findNearest(
  database: VectorDatabase,
  collection: CollectionRow,
  query: Float32Array,
  limit: number,
  { category }: VectorFilter,
): Candidate[] {
  const condition = category === undefined ? '' : 'and category = ?';
  const statement = database.prepare(
    `select id, distance, vector from ${tableOf(collection)} where vector match ? and k = ? ${condition} order by distance`,
  );
  const values = category === undefined ? [] : [category];
  return (statement.all(query, limit, ...values) as FoundRow[]).map(toCandidate);
}

/** Every vector: where more are as near as each other than the extension gives. */
function readAll(
  database: VectorDatabase,
  collection: CollectionRow,
  { category }: VectorFilter,
): Candidate[] {
  const condition = category === undefined ? '' : 'where category = ?';
  const statement = database.prepare(
    `select id, 0 as distance, vector from ${tableOf(collection)} ${condition}`,
  );
  const rows = category === undefined ? statement.all() : statement.all(category);
  return (rows as FoundRow[]).map(toCandidate);
}

function toCandidate({ id, distance, vector: bytes }: FoundRow): Candidate {
  // Copied, since the numbers must begin at a multiple of their size.
  return { id, distance, vector: new Float32Array(Uint8Array.from(bytes).buffer) };
}
