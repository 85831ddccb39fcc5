import { createKeyedLimit } from '@probity/core/internal';
import type { Embedder } from '@probity/pipeline';
import type { NuggetReads } from '../nuggets/storage.ts';
import type { Nugget, NuggetChangeSet } from '../nuggets/types.ts';
import type { VectorStore } from './types.ts';

/** A nugget that is near to a text. */
export interface NearNugget {
  readonly nugget: Nugget;
  /** Cosine of both vectors, -1 to 1. */
  readonly similarity: number;
}

/** Finds nuggets by meaning. */
export interface KnowledgeSearch {
  /**
   * For each text its nearest nuggets, nearest first: at most `count`, up to 100. The knowledge base is searched as it
   * was at the call, or later.
   * @throws what the embedder throws, and the reason of `signal` when it aborts
   */
  nearest(
    organizationId: string,
    texts: readonly string[],
    options: { readonly count: number; readonly signal?: AbortSignal | undefined },
  ): Promise<NearNugget[][]>;
}

/** Dependencies of {@link createKnowledgeSearch}. */
export interface KnowledgeSearchOptions {
  readonly storage: NuggetReads;
  readonly store: VectorStore;
  readonly embedder: Embedder;
  /**
   * Names the vectors that the embedder makes, such as its model: vectors of another name are not searched, but made
   * anew.
   */
  readonly embedderName: string;
}

/** Changes that are embedded and applied at once. */
const CHANGES = 128;
/** Nuggets of one read. */
const READ = 1_000;

/**
 * Creates the search. Before each one the store takes the changes of the knowledge base that it does not have yet, so
 * that every process finds what any process has stored, whatever crashed in between.
 */
export function createKnowledgeSearch({
  storage,
  store,
  embedder,
  embedderName,
}: KnowledgeSearchOptions): KnowledgeSearch {
  const inTurn = createKeyedLimit(1);
  const never = new AbortController().signal;

  async function follow(organizationId: string, name: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const { sequence: end } = await storage.findKnowledgeExtent(organizationId);
      const position = await store.position(name);
      if (position >= end) return;
      const changes = await storage.readNuggetChanges(organizationId, position, CHANGES);
      const sequence = placeOf(changes, end);
      const nuggets = changes.nuggets.filter((each) => each.sequence <= sequence);
      const texts = nuggets.map(({ claim }) => claim);
      const vectors = texts.length > 0 ? await embedder.embed(texts, signal) : [];
      await store.apply(name, {
        upserts: nuggets.map(({ id, category }, at) => ({
          ...{ id, category },
          vector: vectors[at] as Float32Array,
        })),
        removals: changes.removed.filter((each) => each.sequence <= sequence).map(({ id }) => id),
        after: position,
        sequence,
      });
      await new Promise(setImmediate);
    }
  }

  async function read(organizationId: string, ids: readonly string[]) {
    const found = new Map<string, Nugget>();
    for (let from = 0; from < ids.length; from += READ) {
      const nuggets = await storage.findNuggets(organizationId, ids.slice(from, from + READ));
      for (const nugget of nuggets) found.set(nugget.id, nugget);
    }
    return found;
  }

  return {
    async nearest(organizationId, texts, { count, signal = never }) {
      if (texts.length === 0) return [];
      const name = `${organizationId}/${embedderName}`;
      await inTurn(organizationId, () => follow(organizationId, name, signal));
      const vectors = await embedder.embed(texts, signal);
      const matches: Awaited<ReturnType<VectorStore['search']>>[] = [];
      for (const vector of vectors) {
        signal.throwIfAborted();
        matches.push(await store.search(name, vector, Math.min(count, 100)));
        // Each search may take some milliseconds within the process.
        await new Promise(setImmediate);
      }
      const ids = [...new Set(matches.flatMap((each) => each.map(({ id }) => id)))];
      const nuggets = await read(organizationId, ids);
      return matches.map((each) =>
        each.flatMap(({ id, similarity }) => {
          const nugget = nuggets.get(id);
          return nugget ? [{ nugget, similarity }] : [];
        }),
      );
    },
  };
}

/** The place up to which changes are complete; `end` was the last place before they were read. */
function placeOf({ nuggets, removed }: NuggetChangeSet, end: number): number {
  const last = [nuggets, removed].map((each) => each.at(-1)?.sequence ?? end);
  const full = [nuggets, removed].flatMap((each, at) =>
    each.length >= CHANGES ? [last[at] as number] : [],
  );
  return full.length > 0 ? Math.min(...full) : Math.max(end, ...last);
}
