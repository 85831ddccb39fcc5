import type { Capability, RetentionRule, Runtime } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { generalErrors } from '@probity/core/koa';
import { createSentenceEmbedder } from '@probity/pipeline/claims';
import { knowledgeDocumentation } from './documentation.ts';
import { knowledgeEndpoints } from './http.ts';
import { createKnowledgeImports } from './imports/imports.ts';
import { createNuggets } from './nuggets/nuggets.ts';
import type { KnowledgeServices } from './services.ts';
import type { KnowledgeStorage } from './storage.ts';
import type { KnowledgeSearch } from './vectors/knowledge-search.ts';
import { createKnowledgeSearch } from './vectors/knowledge-search.ts';
import { createMemoryVectorStore } from './vectors/memory.ts';
import { createTextVerification } from './verification/verification.ts';

/** Options of {@link createKnowledgeCapability}. */
export interface KnowledgeCapabilityOptions {
  /** Bound to the runtime's database. */
  readonly storage: KnowledgeStorage;
  /** Largest number of nuggets of an organization; default 1,000,000. */
  readonly maxNuggets?: number | undefined;
  /** Finds the nuggets that texts are held against; default: by built-in vectors in the memory of the process. */
  readonly search?: KnowledgeSearch | undefined;
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/** Days for which it is kept that a nugget was deleted. */
const REMOVALS_KEPT_DAYS = 90;

/** The capability of the knowledge base: services, endpoints and retention. */
export function createKnowledgeCapability(
  runtime: Runtime,
  options: KnowledgeCapabilityOptions,
): Capability<KnowledgeServices> {
  const { storage, maxNuggets, prefix = '/api/v1' } = options;
  const services: KnowledgeServices = {
    nuggets: createNuggets(runtime, { storage, maxNuggets }),
    imports: createKnowledgeImports(runtime, { storage, maxNuggets }),
    verification: createTextVerification(options.search ?? createBuiltInSearch(storage)),
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
    retention: [removalRule(storage)],
  };
}

function createBuiltInSearch(storage: KnowledgeStorage): KnowledgeSearch {
  return createKnowledgeSearch({
    storage,
    store: createMemoryVectorStore(),
    embedder: createSentenceEmbedder(),
    embedderName: 'built-in',
  });
}

function removalRule(storage: KnowledgeStorage): RetentionRule {
  return {
    name: 'removed_nuggets',
    olderThanMs: REMOVALS_KEPT_DAYS * DAY_MS,
    deleteBatch: (before, limit) =>
      storage.transaction(OUTSIDE_REQUEST, (tx) => tx.forgetRemovedNuggets(before, limit)),
  };
}
