import type { Capability, RetentionRule, Runtime } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { generalErrors } from '@probity/core/koa';
import { createCorrections } from './corrections/corrections.ts';
import { knowledgeDocumentation } from './documentation.ts';
import type { NamedEmbedder } from './embedders/embedders.ts';
import { builtInEmbedder } from './embedders/embedders.ts';
import { knowledgeEndpoints } from './http.ts';
import { createKnowledgeImports } from './imports/imports.ts';
import { createNuggets } from './nuggets/nuggets.ts';
import type { KnowledgeServices } from './services.ts';
import type { KnowledgeStorage } from './storage.ts';
import { createIndexWorker, INDEX_QUEUE } from './vectors/index-worker.ts';
import type { KnowledgeIndex } from './vectors/knowledge-index.ts';
import { createKnowledgeIndex } from './vectors/knowledge-index.ts';
import { searchIndex } from './vectors/knowledge-search.ts';
import { createMemoryVectorStore } from './vectors/memory.ts';
import type { VectorStore } from './vectors/types.ts';
import { createTextVerification } from './verification/verification.ts';

/** Options of {@link createKnowledgeCapability}. */
export interface KnowledgeCapabilityOptions {
  /** Bound to the runtime's database. */
  readonly storage: KnowledgeStorage;
  /** Largest number of nuggets of an organization; default 1,000,000. */
  readonly maxNuggets?: number | undefined;
  /** Keeps the vectors; the caller closes it. Default: the memory of the process. */
  readonly vectors?: VectorStore | undefined;
  /** Makes the vectors; default: the embedder without a model of its own. */
  readonly embedder?: NamedEmbedder | undefined;
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/** Days for which it is kept that a nugget was deleted. */
const REMOVALS_KEPT_DAYS = 90;
/** Days for which the records of imports are kept. */
const IMPORTS_KEPT_DAYS = 90;

/** The capability of the knowledge base: services, endpoints and retention. */
export function createKnowledgeCapability(
  runtime: Runtime,
  options: KnowledgeCapabilityOptions,
): Capability<KnowledgeServices> {
  const { storage, maxNuggets, prefix = '/api/v1' } = options;
  const { name: embedderName, embedder } = options.embedder ?? builtInEmbedder();
  const store = options.vectors ?? createMemoryVectorStore();
  const { clock } = runtime;
  const indexed = {
    storage,
    store,
    embedder,
    embedderName,
    monotonicMs: () => clock.monotonicMs(),
  };
  const index = createKnowledgeIndex(indexed);
  const search = searchIndex(index, indexed);
  const worker = createIndexWorker(runtime, { storage, index });
  const services: KnowledgeServices = {
    nuggets: createNuggets(runtime, { storage, maxNuggets }),
    imports: createKnowledgeImports(runtime, { storage, maxNuggets }),
    corrections: createCorrections(runtime, { storage, maxNuggets }),
    search,
    verification: createTextVerification(search),
  };
  return {
    name: 'knowledge',
    services,
    groups: [
      {
        prefix,
        errorFormat: generalErrors,
        endpoints: knowledgeEndpoints(services),
        documentation: knowledgeDocumentation,
      },
    ],
    background: [
      { name: 'knowledge index', start: () => worker.start(), stop: () => worker.stop() },
    ],
    queues: [INDEX_QUEUE],
    retention: [removalRule(storage), importRule(storage), vectorRule(index)],
  };
}

/** Vectors of removed organizations, and of embedders that are no longer used. */
function vectorRule(index: KnowledgeIndex): RetentionRule {
  return {
    name: 'unused_vectors',
    olderThanMs: 0,
    deleteBatch: (_before, limit) => index.dropUnused(limit),
  };
}

function importRule(storage: KnowledgeStorage): RetentionRule {
  return {
    name: 'knowledge_imports',
    olderThanMs: IMPORTS_KEPT_DAYS * DAY_MS,
    deleteBatch: (before, limit) =>
      storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteImports(before, limit)),
  };
}

function removalRule(storage: KnowledgeStorage): RetentionRule {
  return {
    name: 'removed_nuggets',
    olderThanMs: REMOVALS_KEPT_DAYS * DAY_MS,
    deleteBatch: (before, limit) =>
      storage.transaction(OUTSIDE_REQUEST, (tx) => tx.forgetRemovedNuggets(before, limit)),
  };
}
