import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { groupPromises } from './groups/contract.ts';
import type { ScimStorage } from './storage.ts';
import { userPromises } from './users/contract.ts';

/** The contract of {@link ScimStorage} as tests for `node:test`, for any adapter to pass. */
export function describeScimStorage(target: StorageTarget<ScimStorage>): void {
  describeStorage(target, { ...userPromises, ...groupPromises });
}
