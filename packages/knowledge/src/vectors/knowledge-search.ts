import { ProbityError } from '@probity/core';
import type { NuggetReads } from '../nuggets/storage.ts';
import type { Nugget } from '../nuggets/types.ts';
import type { IndexState, KnowledgeIndex, KnowledgeIndexOptions } from './knowledge-index.ts';
import { createKnowledgeIndex } from './knowledge-index.ts';
import type { VectorFilter, VectorMatch } from './types.ts';

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
export type KnowledgeSearchOptions = KnowledgeIndexOptions;

/** What a search has found, and how far the vectors follow the knowledge base. */
export interface FoundNuggets {
  readonly matches: readonly NearNugget[];
  /** The search has all nuggets where nothing is pending. */
  readonly index: IndexState;
}

/** Finds nuggets by meaning at once, also while many are not indexed yet. */
export interface NuggetFinder {
  /**
   * The nuggets that are nearest to a text, nearest first, at most `count`. Up to a second is spent on changes that the
   * vectors lack; what they lack then is pending in the answer's `index`.
   * @throws ProbityError `unavailable` when the embedder gives no answer; the reason of `signal` when it aborts
   */
  find(
    organizationId: string,
    text: string,
    options: VectorFilter & { readonly count: number; readonly signal?: AbortSignal | undefined },
  ): Promise<FoundNuggets>;
  /** How far the vectors follow the knowledge base. */
  state(organizationId: string): Promise<IndexState>;
}

/** Nuggets of one read. */
const READ = 1_000;
const MOST_NEAREST = 100;
/** Milliseconds that a search spends on changes that the vectors lack. */
const CATCH_UP_MS = 1_000;

/**
 * Creates the search. Before each one the store takes the changes of the knowledge base that it does not have yet, so
 * that every process finds what any process has stored, whatever crashed in between.
 */
export function createKnowledgeSearch(options: KnowledgeSearchOptions): KnowledgeSearch {
  return searchIndex(createKnowledgeIndex(options), options);
}

/** Creates the search over an index. */
export function searchIndex(
  index: KnowledgeIndex,
  { storage, store, embedder }: KnowledgeIndexOptions,
): KnowledgeSearch & NuggetFinder {
  const never = new AbortController().signal;
  return {
    state: (organizationId) => index.state(organizationId),

    async nearest(organizationId, texts, { count, signal = never }) {
      if (texts.length === 0) return [];
      await index.catchUp(organizationId, { signal });
      const vectors = await embedder.embed(texts, signal);
      const found: VectorMatch[][] = [];
      for (const vector of vectors) {
        signal.throwIfAborted();
        const name = index.collectionOf(organizationId);
        found.push(await store.search(name, vector, Math.min(count, MOST_NEAREST)));
        // Each search may take some milliseconds within the process.
        await new Promise(setImmediate);
      }
      return withNuggets(storage, organizationId, found);
    },

    async find(organizationId, text, { count, category, signal = never }) {
      try {
        const state = await index.catchUp(organizationId, { signal, forMs: CATCH_UP_MS });
        const [vector] = await embedder.embed([text], signal);
        const name = index.collectionOf(organizationId);
        const matches = vector ? await store.search(name, vector, count, { category }) : [];
        const [found = []] = await withNuggets(storage, organizationId, [matches]);
        // A nugget may have left the category since.
        const isWanted = ({ nugget }: NearNugget) =>
          category === undefined || nugget.category === category;
        return { matches: found.filter(isWanted), index: state };
      } catch (cause) {
        throw isBackendError(cause) ? unanswered(cause) : cause;
      }
    },
  };
}

/** By its code, since two copies of a package may meet. */
function isBackendError(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: unknown }).code === 'BACKEND_FAILED';
}

function unanswered(cause: Error): ProbityError {
  const message = `The embedder gives no answer: ${cause.message}.`;
  return new ProbityError('unavailable', message, { cause });
}

async function withNuggets(
  storage: NuggetReads,
  organizationId: string,
  found: readonly (readonly VectorMatch[])[],
): Promise<NearNugget[][]> {
  const ids = [...new Set(found.flatMap((each) => each.map(({ id }) => id)))];
  const nuggets = new Map<string, Nugget>();
  for (let from = 0; from < ids.length; from += READ) {
    const read = await storage.findNuggets(organizationId, ids.slice(from, from + READ));
    for (const nugget of read) nuggets.set(nugget.id, nugget);
  }
  return found.map((each) =>
    each.flatMap(({ id, similarity }) => {
      const nugget = nuggets.get(id);
      return nugget ? [{ nugget, similarity }] : [];
    }),
  );
}
