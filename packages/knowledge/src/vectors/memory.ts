import { createKeyedLimit } from '@probity/core/internal';
import { toUnitChanges } from './changes.ts';
import { FlatIndex } from './flat-index.ts';
import type { VectorStore } from './types.ts';

interface Collection {
  sequence: number;
  /** Null before the first vector. */
  index: FlatIndex | null;
}

/**
 * Keeps vectors in the memory of the process and compares with each of them: exact, and for tests and small knowledge
 * bases. After a restart the collections are empty, and are filled from the storage again.
 */
export function createMemoryVectorStore(): VectorStore {
  const collections = new Map<string, Collection>();
  const inTurn = createKeyedLimit(1);
  return {
    async position(name) {
      return collections.get(name)?.sequence ?? 0;
    },
    apply: (name, changes) =>
      inTurn(name, async () => {
        const { index: known = null, sequence: position = 0 } = collections.get(name) ?? {};
        const { length, upserts, removals } = toUnitChanges(known?.length ?? 0, changes);
        if (position !== changes.after) return false;
        const index = known ?? (length > 0 ? new FlatIndex(length) : null);
        for (const id of removals) index?.delete(id);
        for (const { id, vector, category } of upserts) index?.put(id, vector, category);
        collections.set(name, { index, sequence: changes.sequence });
        return true;
      }),
    search: (name, vector, count, filter) =>
      inTurn(name, async () => {
        const index = collections.get(name)?.index;
        return index ? index.search(vector, count, filter) : [];
      }),
    async collections() {
      return [...collections.keys()];
    },
    drop: (name) =>
      inTurn(name, async () => {
        collections.delete(name);
      }),
    async close() {
      collections.clear();
    },
  };
}
