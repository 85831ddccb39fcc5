import type { UnitChanges } from './changes.ts';
import { toUnitChanges } from './changes.ts';
import type { Candidate } from './nearest.ts';
import { rankNearest, toUnit } from './nearest.ts';
import type { VectorChanges, VectorStore } from './types.ts';
import { requireLength } from './types.ts';

/** The part of a `Pool` of pg that the store uses; PGlite has it as well. */
export interface PgVectorClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>;
}

/** Options of {@link createPgVectorStore}. */
export interface PgVectorOptions {
  /** A pool of connections to a PostgreSQL with the extension `vector`; the caller closes it. */
  readonly client: PgVectorClient;
}

interface CollectionRow {
  readonly id: number;
  readonly sequence: number;
  readonly dimensions: number;
}

/** Made once, by whichever instance comes first; one transaction. */
const SET_UP = `do $$ begin
  perform pg_advisory_xact_lock(hashtextextended('probity_vectors', 0));
  if to_regtype('vector') is null then
    create extension vector;
  end if;
  create table if not exists probity_vector_collections (
    id integer generated always as identity primary key,
    name text not null unique,
    sequence bigint not null,
    dimensions integer not null
  );
  create table if not exists probity_vectors (
    collection integer not null references probity_vector_collections (id) on delete cascade,
    id text not null collate "C",
    category text,
    vector vector not null,
    primary key (collection, id)
  );
end $$`;

/** One statement, and so one transaction: whoever follows another position updates no row, and changes nothing. */
const APPLY = `with head as (
    update probity_vector_collections set sequence = $3, dimensions = $4
    where name = $1 and sequence = $2 and dimensions in (0, $4) returning id
  ), removed as (
    delete from probity_vectors using head where collection = head.id and probity_vectors.id = any($5::text[])
  ), stored as (
    insert into probity_vectors (collection, id, category, vector)
    select head.id, given.id, given.category, given.vector::vector
    from head, unnest($6::text[], $7::text[], $8::text[]) as given (id, category, vector)
    on conflict (collection, id) do update set category = excluded.category, vector = excluded.vector
  )
  select id from head`;

/** Vectors are read for the nearest only: the server would carry all of them through its sort. */
const SEARCH = `select probity_vectors.id, vector_send(vector) as vector, distance
  from (
    select id, vector <=> $2::vector as distance
    from probity_vectors where collection = $1 and ($3::text is null or category = $3)
    order by distance, id limit $4
  ) as nearest
  join probity_vectors on collection = $1 and probity_vectors.id = nearest.id
  order by distance, probity_vectors.id`;

/**
 * Keeps vectors in PostgreSQL by the extension pgvector, without an index of it: the server compares with every vector
 * of the collection, exact. Its tables, `probity_vectors` and `probity_vector_collections`, and the extension are
 * made at the first use.
 */
export function createPgVectorStore({ client }: PgVectorOptions): VectorStore {
  let setUp: Promise<unknown> | null = null;
  const query = async <Row>(text: string, values: unknown[]): Promise<Row[]> => {
    setUp ??= prepare(client).catch((error: unknown) => {
      setUp = null;
      throw error;
    });
    await setUp;
    return (await client.query(text, values)).rows as Row[];
  };
  const find = async (name: string): Promise<CollectionRow | undefined> => {
    const [row] = await query<Record<keyof CollectionRow, unknown>>(
      'select id, sequence, dimensions from probity_vector_collections where name = $1',
      [name],
    );
    if (!row) return undefined;
    const { id, sequence, dimensions } = row;
    return { id: Number(id), sequence: Number(sequence), dimensions: Number(dimensions) };
  };
  return {
    async position(name) {
      return (await find(name))?.sequence ?? 0;
    },
    async apply(name, changes) {
      const known = await find(name);
      const units = toUnitChanges(known?.dimensions ?? 0, changes);
      if ((known?.sequence ?? 0) !== changes.after) return false;
      if (!known) {
        await query(
          'insert into probity_vector_collections (name, sequence, dimensions) values ($1, 0, 0) on conflict do nothing',
          [name],
        );
      }
      const rows = await query(APPLY, valuesOf(name, changes, units));
      return rows.length > 0;
    },
    async search(name, vector, count, { category } = {}) {
      const collection = await find(name);
      if (!collection || collection.dimensions === 0 || count < 1) return [];
      requireLength(vector, collection.dimensions);
      const unit = toUnit(vector);
      if (!unit) return [];
      return rankNearest(unit, count, async (limit) => {
        const values = [collection.id, textOf(unit), category ?? null, limit];
        return (await query<FoundRow>(SEARCH, values)).map(toCandidate);
      });
    },
    async collections() {
      const rows = await query<{ name: string }>('select name from probity_vector_collections', []);
      return rows.map(({ name }) => name);
    },
    async drop(name) {
      await query('delete from probity_vector_collections where name = $1', [name]);
    },
    async close() {
      setUp = null;
    },
  };
}

async function prepare(client: PgVectorClient): Promise<void> {
  try {
    await client.query(SET_UP);
  } catch (cause) {
    const { code, message } = cause as { readonly code?: string; readonly message?: string };
    // The extension's files are missing, or the role may not create it.
    const isMissing = code === '0A000' || code === '58P01' || code === '42501';
    const hint =
      'install pgvector, and let a superuser run "create extension vector" in the database';
    throw isMissing
      ? new Error(`The vectors need the extension pgvector (${message}): ${hint}.`, { cause })
      : cause;
  }
}

function valuesOf(
  name: string,
  { after, sequence }: VectorChanges,
  { length, upserts, removals }: UnitChanges,
): unknown[] {
  const ids = upserts.map(({ id }) => id);
  const categories = upserts.map(({ category }) => category);
  const vectors = upserts.map(({ vector }) => textOf(vector));
  return [name, after, sequence, length, removals, ids, categories, vectors];
}

/** In the form of pgvector; each number as it is in single precision. */
function textOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}

interface FoundRow {
  readonly id: string;
  readonly vector: Uint8Array;
  readonly distance: number;
}

/** Bytes before the numbers in pgvector's binary form: how many there are, and two of no use. */
const HEAD_BYTES = 4;

function toCandidate({ id, vector: bytes, distance }: FoundRow): Candidate {
  const view = new DataView(bytes.buffer, bytes.byteOffset + HEAD_BYTES);
  const length = (bytes.byteLength - HEAD_BYTES) / Float32Array.BYTES_PER_ELEMENT;
  const vector = Float32Array.from({ length }, (_, at) => view.getFloat32(at * 4));
  return { id, vector, distance };
}
