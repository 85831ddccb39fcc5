import type { Capability, RetentionRule, Runtime } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { DAY_MS } from '@probity/core/internal';
import { generalErrors } from '@probity/core/koa';
import { createCorrections } from './corrections/corrections.ts';
import { knowledgeDocumentation } from './documentation.ts';
import { knowledgeEndpoints } from './http.ts';
import { createKnowledgeImports } from './imports/imports.ts';
import { createNuggets } from './nuggets/nuggets.ts';
import type { KnowledgeServices } from './services.ts';
import type { KnowledgeStorage } from './storage.ts';

/** Options of {@link createKnowledgeCapability}. */
export interface KnowledgeCapabilityOptions {
  /** Bound to the runtime's database. */
  readonly storage: KnowledgeStorage;
  /** Largest number of nuggets of an organization; default 1,000,000. */
  readonly maxNuggets?: number | undefined;
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/** Days for which it is kept that a nugget was deleted. */
const REMOVALS_KEPT_DAYS = 90;

/** The capability of the knowledge base: services, endpoints and retention. */
export function createKnowledgeCapability(
  runtime: Runtime,
  { storage, maxNuggets, prefix = '/api/v1' }: KnowledgeCapabilityOptions,
): Capability<KnowledgeServices> {
  const services: KnowledgeServices = {
    nuggets: createNuggets(runtime, { storage, maxNuggets }),
    imports: createKnowledgeImports(runtime, { storage, maxNuggets }),
    corrections: createCorrections(runtime, { storage, maxNuggets }),
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

function removalRule(storage: KnowledgeStorage): RetentionRule {
  return {
    name: 'removed_nuggets',
    olderThanMs: REMOVALS_KEPT_DAYS * DAY_MS,
    deleteBatch: (before, limit) =>
      storage.transaction(OUTSIDE_REQUEST, (tx) => tx.forgetRemovedNuggets(before, limit)),
  };
}
