import { setImmediate as nextTurn } from 'node:timers/promises';
import { byNearness, toUnit } from './nearest.ts';
import type { VectorMatch, VectorStore } from './types.ts';
import { requireLength } from './types.ts';

/** Products of one turn of the event loop; they take some milliseconds. */
const TURN_PRODUCTS = 4_000_000;

interface Collection {
  sequence: number;
  length: number;
  /** Vectors of length 1 by id. */
  readonly vectors: Map<string, Float32Array>;
}

/**
 * Keeps vectors in the memory of the process and compares with each of them: exact, and for tests and small knowledge
 * bases. After a restart the collections are empty, and are filled from the storage again.
 */
export function createMemoryVectorStore(): VectorStore {
  const collections = new Map<string, Collection>();
  return {
    async position(name) {
      return collections.get(name)?.sequence ?? 0;
    },
    async apply(name, { upserts, removals, sequence }) {
      const length = collections.get(name)?.length ?? upserts[0]?.vector.length ?? 0;
      for (const { vector } of upserts) requireLength(vector, length);
      const collection = collections.get(name) ?? { sequence, length, vectors: new Map() };
      for (const id of removals) collection.vectors.delete(id);
      for (const { id, vector } of upserts) collection.vectors.set(id, toUnit(vector));
      collection.sequence = sequence;
      // A collection without a vector yet takes those of any length.
      if (collection.length > 0 || upserts.length > 0) collections.set(name, collection);
    },
    async search(name, vector, count) {
      const collection = collections.get(name);
      if (!collection) return [];
      requireLength(vector, collection.length);
      return nearest(collection, toUnit(vector), count);
    },
    async drop(name) {
      collections.delete(name);
    },
    async close() {
      collections.clear();
    },
  };
}

async function nearest(
  { vectors, length }: Collection,
  vector: Float32Array,
  count: number,
): Promise<VectorMatch[]> {
  const best: VectorMatch[] = [];
  const perTurn = Math.ceil(TURN_PRODUCTS / Math.max(1, length));
  let compared = 0;
  for (const [id, other] of vectors) {
    if (++compared % perTurn === 0) await nextTurn();
    let similarity = 0;
    for (let at = 0; at < length; at++) {
      similarity += (vector[at] as number) * (other[at] as number);
    }
    insert(best, { id, similarity }, count);
  }
  return best;
}

function insert(best: VectorMatch[], match: VectorMatch, count: number): void {
  const last = best[count - 1];
  if (last && byNearness(last, match) <= 0) return;
  let at = best.length;
  while (at > 0 && byNearness(match, best[at - 1] as VectorMatch) < 0) at--;
  best.splice(at, 0, match);
  if (best.length > count) best.pop();
}
