import { createHash } from 'node:crypto';
import type { Logger } from '@probity/core';
import type { VectorStore } from '@probity/knowledge';
import type { Field } from '@probity/pipeline';
import { checkTextOf } from '../database/gateway-database.ts';
import type { KnownClaim } from '../snapshot/pipeline-config.ts';
import type { GatewayEmbedder } from './embedding.ts';

/** A statement with its name. */
interface NamedClaim {
  readonly id: string;
  readonly claim: string;
}

/** A knowledge base that is searched by its vectors. */
export interface VectorKnowledge {
  /**
   * Gives the store the vectors that it lacks.
   * @throws RangeError where store, model and `embeddings.dimension` differ; every other failure is in `check`, and tried
   *   again by `probe`
   */
  open(): Promise<void>;
  /**
   * The statements that may be about texts.
   * @throws Error when store or model do not answer
   */
  find(texts: readonly string[], signal: AbortSignal, field: Field): Promise<NamedClaim[]>;
  check(): string;
  probe(): Promise<void>;
}

/** Dependencies of a knowledge base. */
export interface VectorKnowledgeOptions {
  readonly claims: readonly KnownClaim[];
  readonly store: VectorStore;
  /** `embeddings.provider` and `embeddings.dimension`, for errors. */
  readonly provider: string;
  readonly dimension: number;
  readonly batchSize: number;
  /** Makes the vectors of the statements, and those of claims in responses. */
  readonly embedder: GatewayEmbedder;
  /** Those of claims in prompts; of the same length. */
  readonly promptEmbedder: GatewayEmbedder;
  /** What is used for questions: with a cache, where there is one. */
  readonly remembered: (embedder: GatewayEmbedder) => GatewayEmbedder;
  readonly logger: Logger;
}

/** Statements that a claim is held against. */
const NEAREST = 16;

/** Creates the knowledge base; its collection is named by the model and by all statements. */
export function createVectorKnowledge(options: VectorKnowledgeOptions): VectorKnowledge {
  const { store, embedder, promptEmbedder, remembered, logger } = options;
  const byId = new Map(options.claims.map(toNamed).map((each) => [each.id, each]));
  const claims = [...byId.values()];
  const family = `gateway/${encodeURIComponent(embedder.model)}/`;
  const content = createHash('sha256').update(JSON.stringify(claims)).digest('hex');
  const name = family + content.slice(0, 16);
  const never = new AbortController().signal;
  let isIndexed = false;
  let check = 'starting';
  const note = (error: unknown) => {
    if (!check.startsWith('error')) logger.error('the vectors cannot be used', { error });
    check = checkTextOf(error);
  };
  const ask = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await work();
      check = 'ok';
      return result;
    } catch (error) {
      if ((error as { name?: unknown }).name !== 'AbortError') note(error);
      throw error;
    }
  };
  const index = async () => {
    await requireDimensions(options, family);
    for (let at = await store.position(name); at < claims.length; at = await store.position(name)) {
      const batch = claims.slice(at, at + options.batchSize);
      const vectors = await embedder.embed(
        batch.map(({ claim }) => claim),
        never,
      );
      const upserts = batch.map(({ id }, place) => ({
        id,
        vector: vectors[place] as Float32Array,
      }));
      const sequence = at + batch.length;
      await store.apply(name, { upserts, removals: [], after: at, sequence });
    }
    isIndexed = true;
  };
  return {
    async open() {
      await ask(index).catch((error: unknown) => {
        if (error instanceof RangeError) throw error;
      });
    },
    find: (texts, signal, field) =>
      ask(async () => {
        if (!isIndexed) throw new Error('the vectors of the knowledge base are not made yet');
        const made = await remembered(field === 'prompt' ? promptEmbedder : embedder).embed(
          texts,
          signal,
        );
        const found = new Map<string, NamedClaim>();
        for (const vector of made) {
          signal.throwIfAborted();
          for (const { id } of await store.search(name, vector, NEAREST)) {
            const claim = byId.get(id);
            if (claim) found.set(id, claim);
          }
        }
        return [...found.values()];
      }),
    check: () => check,
    async probe() {
      await ask(async () => {
        if (!isIndexed) return index();
        await store.position(name);
        for (const each of new Set([embedder, promptEmbedder])) await each.embed(['probe'], never);
      }).catch(() => undefined);
    },
  };
}

function toNamed(claim: KnownClaim): NamedClaim {
  if (typeof claim !== 'string') return claim;
  return { id: createHash('sha256').update(claim).digest('hex').slice(0, 24), claim };
}

/** @throws RangeError naming both where models or what is stored have another length than the configuration */
async function requireDimensions(options: VectorKnowledgeOptions, family: string): Promise<void> {
  const { store, provider, dimension, embedder, promptEmbedder } = options;
  const never = new AbortController().signal;
  // The vectors of statements are made with this model next, which says the same.
  if (promptEmbedder !== embedder) await promptEmbedder.embed(['dimension'], never);
  const probe = new Float32Array(dimension).fill(1);
  for (const name of (await store.collections()).filter((each) => each.startsWith(family))) {
    await store.search(name, probe, 1).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      const message = `embeddings.dimension is ${dimension}, and the store of embeddings.provider ${provider} has vectors of another length: ${error.message}`;
      throw new RangeError(message, { cause: error });
    });
  }
}
