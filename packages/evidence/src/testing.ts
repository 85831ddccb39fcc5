import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { aiSystemPromises } from './ai-systems/contract.ts';
import { chainPromises } from './chain/contract.ts';
import { evidencePromises } from './records/contract.ts';
import type { EvidenceStorage } from './storage.ts';
import { trendPromises } from './trend/contract.ts';

/** The contract of {@link EvidenceStorage} as tests for `node:test`, for any adapter to pass. */
export function describeEvidenceStorage(target: StorageTarget<EvidenceStorage>): void {
  describeStorage(target, {
    ...aiSystemPromises,
    ...evidencePromises,
    ...chainPromises,
    ...trendPromises,
  });
}
