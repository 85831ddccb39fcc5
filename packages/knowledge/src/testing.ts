import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { correctionPromises } from './corrections/contract.ts';
import { importPromises } from './imports/contract.ts';
import { nuggetPromises } from './nuggets/contract.ts';
import type { KnowledgeStorage } from './storage.ts';

export type { VectorStoreTarget } from './vectors/contract.ts';
export { describeVectorStore } from './vectors/contract.ts';

/** Registers the contract suite of {@link KnowledgeStorage} in `node:test`; every adapter must pass it. */
export function describeKnowledgeStorage(target: StorageTarget<KnowledgeStorage>): void {
  describeStorage(target, { ...nuggetPromises, ...correctionPromises, ...importPromises });
}
