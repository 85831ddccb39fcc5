import { createKeyedLimit } from '@probity/core/internal';
import type { Embedder } from '@probity/pipeline';
import type { NuggetReads } from '../nuggets/storage.ts';
import type { NuggetChangeSet } from '../nuggets/types.ts';
import type { VectorChanges, VectorStore } from './types.ts';

/** How far the vectors of a knowledge base follow it. */
export interface IndexState {
  /** The embedder that makes the vectors. */
  readonly embedderName: string;
  /** Nuggets of the knowledge base. */
  readonly nuggets: number;
  /** Place of the last change of the knowledge base; 0 for none. */
  readonly sequence: number;
  /** Place up to which the vectors follow. */
  readonly position: number;
  /** Nuggets that were stored, changed or deleted behind the position. */
  readonly pending: number;
}

/** Keeps the vectors of knowledge bases up to date. */
export interface KnowledgeIndex {
  /** The collection of an organization, named by it and the embedder. */
  collectionOf(organizationId: string): string;
  state(organizationId: string): Promise<IndexState>;
  /**
   * Gives the store the changes that it lacks. Calls for one organization take turns.
   * @param options `forMs`: no further part is begun after so many milliseconds; default: until the store has all that was
   *   stored before the call
   * @returns the state behind it
   * @throws what the embedder and the store throw, and the reason of `signal` when it aborts
   */
  catchUp(
    organizationId: string,
    options?: { readonly signal?: AbortSignal | undefined; readonly forMs?: number | undefined },
  ): Promise<IndexState>;
  /**
   * Drops collections that nobody searches: those of organizations without a knowledge base, and those of other embedders
   * where the collection of this one is up to date; at most `limit`.
   * @returns how many
   */
  dropUnused(limit: number): Promise<number>;
}

/** Dependencies of {@link createKnowledgeIndex}. */
export interface KnowledgeIndexOptions {
  readonly storage: NuggetReads;
  readonly store: VectorStore;
  readonly embedder: Embedder;
  /**
   * Names the vectors that the embedder makes, such as its model: vectors of another name are not searched, but made
   * anew.
   */
  readonly embedderName: string;
  /** Milliseconds since any time; default: that of the process. */
  readonly monotonicMs?: (() => number) | undefined;
}

/** Changes that are embedded and applied at once. */
const CHANGES = 128;

/** Creates the index. */
export function createKnowledgeIndex(options: KnowledgeIndexOptions): KnowledgeIndex {
  const { storage, store, embedderName, monotonicMs = () => performance.now() } = options;
  const inTurn = createKeyedLimit(1);
  const never = new AbortController().signal;
  const collectionOf = (organizationId: string) =>
    `${encodeURIComponent(organizationId)}/${embedderName}`;

  async function state(organizationId: string): Promise<IndexState> {
    // Read first: what is stored meanwhile is pending, never behind the end.
    const position = await store.position(collectionOf(organizationId));
    const { sequence, nuggets } = await storage.findKnowledgeExtent(organizationId);
    const pending =
      position < sequence ? await storage.countNuggetChanges(organizationId, position) : 0;
    return { embedderName, nuggets, sequence, position, pending };
  }

  async function follow(organizationId: string, signal: AbortSignal, forMs: number): Promise<void> {
    const name = collectionOf(organizationId);
    const startedAt = monotonicMs();
    const { sequence: goal } = await storage.findKnowledgeExtent(organizationId);
    for (;;) {
      signal.throwIfAborted();
      const position = await store.position(name);
      const { sequence: end } = await storage.findKnowledgeExtent(organizationId);
      // The database was restored from before: what the store has is of changes that have not taken place.
      if (position > end) await store.drop(name);
      else if (position >= goal) return;
      else await followPart(options, { organizationId, name, position, end, signal });
      if (monotonicMs() - startedAt >= forMs) return;
      await new Promise(setImmediate);
    }
  }

  async function isUnused(name: string): Promise<boolean> {
    const end = name.indexOf('/');
    if (end < 0) return false;
    const organizationId = decodeURIComponent(name.slice(0, end));
    const { sequence } = await storage.findKnowledgeExtent(organizationId);
    if (sequence === 0) return true;
    if (name === collectionOf(organizationId)) return false;
    return (await store.position(collectionOf(organizationId))) >= sequence;
  }

  return {
    collectionOf,
    state,
    catchUp: (organizationId, { signal = never, forMs = Infinity } = {}) =>
      inTurn(organizationId, async () => {
        await follow(organizationId, signal, forMs);
        return state(organizationId);
      }),
    async dropUnused(limit) {
      let dropped = 0;
      for (const name of await store.collections()) {
        if (dropped >= limit) break;
        if (!(await isUnused(name))) continue;
        await store.drop(name);
        dropped++;
      }
      return dropped;
    },
  };
}

interface Part {
  readonly organizationId: string;
  readonly name: string;
  readonly position: number;
  /** The last place before the changes are read. */
  readonly end: number;
  readonly signal: AbortSignal;
}

async function followPart(
  { storage, store, embedder, embedderName }: KnowledgeIndexOptions,
  { organizationId, name, position, end, signal }: Part,
): Promise<void> {
  const changes = await storage.readNuggetChanges(organizationId, position, CHANGES);
  const sequence = placeOf(changes, end);
  const nuggets = changes.nuggets.filter((each) => each.sequence <= sequence);
  const texts = nuggets.map(({ claim }) => claim);
  const vectors = texts.length > 0 ? await embedder.embed(texts, signal) : [];
  await applyNamed(embedderName, store, name, {
    upserts: nuggets.map(({ id, category }, at) => ({
      ...{ id, category },
      vector: vectors[at] as Float32Array,
    })),
    removals: changes.removed.filter((each) => each.sequence <= sequence).map(({ id }) => id),
    after: position,
    sequence,
  });
}

/** Says of which embedder the vectors are that have another length than those before. */
async function applyNamed(
  embedderName: string,
  store: VectorStore,
  name: string,
  changes: VectorChanges,
): Promise<void> {
  try {
    await store.apply(name, changes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`The embedder ${embedderName} has changed: ${error.message}`);
  }
}

/**
 * The place up to which changes are complete. Both lists have all up to `end` unless they are full; of later changes
 * either may have read some that the other, read before, has not.
 */
function placeOf({ nuggets, removed }: NuggetChangeSet, end: number): number {
  const full = [nuggets, removed].filter((each) => each.length >= CHANGES);
  return Math.min(end, ...full.map((each) => each.at(-1)?.sequence ?? end));
}
