import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Logger } from '@probity/core';
import type { Pipeline } from '@probity/pipeline';
import type { CountedCache } from '../cache/caches.ts';
import type { GatewayKey } from '../compliance/gateway-key.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { KnownClaim } from '../snapshot/pipeline-config.ts';
import type { GatewayEmbedder } from './embedding.ts';
import { createGatewayEmbedder, withEmbeddingCache } from './embedding.ts';
import type { VectorKnowledge } from './vector-knowledge.ts';
import { createVectorKnowledge } from './vector-knowledge.ts';
import type { OwnVectorStore, VectorStoreOptions } from './vector-stores.ts';
import { openVectorStore } from './vector-stores.ts';

/** What is opened for one configuration. */
interface OpenKnowledge extends OwnVectorStore {
  readonly knowledge: VectorKnowledge;
  readonly failOpen: boolean;
}

/** The knowledge bases of configurations: the truth stages are given what is near to the claims. */
export interface KnowledgeBases {
  /**
   * Opens that of a configuration; null without statements.
   * @throws Error where the configuration cannot be served: a variable is missing, lengths of vectors differ
   */
  open(
    config: GatewayConfig,
    claims: readonly KnownClaim[],
    cache: CountedCache | null,
  ): Promise<VectorKnowledge | null>;
  /** Closes those of former configurations when their scans have ended. */
  use(knowledge: VectorKnowledge | null): void;
  check(): string;
  /** Whether it answers, or the truth stages fail open. */
  isReady(): boolean;
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies of the knowledge bases. */
export interface KnowledgeBasesOptions extends VectorStoreOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly key: GatewayKey;
}

/** Creates the knowledge bases. */
export function createKnowledgeBases(options: KnowledgeBasesOptions): KnowledgeBases {
  const { clock, env, logger, key } = options;
  const all = new Map<VectorKnowledge, OpenKnowledge>();
  let current: OpenKnowledge | null = null;
  const embedderOf = (config: GatewayConfig, name: string, model: string) =>
    createGatewayEmbedder({ key: name, model, embeddings: config.embeddings, env });
  const closeOthers = async () => {
    for (const [knowledge, each] of all) {
      if (each === current) continue;
      all.delete(knowledge);
      await each.close().catch(() => undefined);
      await nextTurn();
    }
  };
  return {
    async open(config, claims, cache) {
      if (claims.length === 0) return null;
      const { embeddings, stage_config } = config;
      const embedder = await embedderOf(config, 'embeddings.model', embeddings.model);
      const { embedding_model = embeddings.model } = stage_config.truth_scan;
      const promptEmbedder =
        embedding_model === embeddings.model
          ? embedder
          : await embedderOf(config, 'stage_config.truth_scan.embedding_model', embedding_model);
      const remembered = (each: GatewayEmbedder) =>
        cache ? withEmbeddingCache(each, { cache, hashKey: key.derive('embedding') }) : each;
      const own = await openVectorStore(config, options);
      const knowledge = createVectorKnowledge({
        ...{ claims, store: own.store, embedder, promptEmbedder, remembered, logger },
        provider: embeddings.provider,
        dimension: embeddings.dimension,
        batchSize: embeddings.batch_size,
      });
      try {
        await knowledge.open();
      } catch (error) {
        await own.close().catch(() => undefined);
        throw error;
      }
      all.set(knowledge, { ...own, knowledge, failOpen: embeddings.fail_open });
      return knowledge;
    },
    use(knowledge) {
      const before = current;
      current = knowledge && (all.get(knowledge) ?? null);
      // Scans in progress end with what they began with.
      if (before !== null) clock.setTimer(() => void closeOthers(), LONGEST_SCAN_MS);
    },
    check: () => current?.knowledge.check() ?? 'disabled',
    isReady: () => current === null || current.failOpen || current.knowledge.check() === 'ok',
    async probe() {
      await current?.knowledge.probe();
    },
    async close() {
      current = null;
      await closeOthers();
    },
  };
}

/** Most scans end long before; a store that is closed under a scan fails its stage. */
const LONGEST_SCAN_MS = 60_000;

/** The pipeline whose truth stages are given what a knowledge base finds. */
export function withKnowledge(pipeline: Pipeline, knowledge: VectorKnowledge): Pipeline {
  const material = {
    async knowledge(...question: Parameters<VectorKnowledge['find']>) {
      return knowledge.find(...question);
    },
  };
  return {
    ...pipeline,
    scan: (input, given) =>
      pipeline.scan(input, { ...given, material: { ...given?.material, ...material } }),
  };
}
