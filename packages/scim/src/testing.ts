import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { activityPromises } from './activity/contract.ts';
import type { ScimActivityStorage } from './activity/storage.ts';
import { groupPromises } from './groups/contract.ts';
import type { ScimStorage } from './storage.ts';
import { userPromises } from './users/contract.ts';

/** The contract of {@link ScimStorage} as tests for `node:test`, for any adapter to pass. */
export function describeScimStorage(target: StorageTarget<ScimStorage>): void {
  describeStorage(target, { ...userPromises, ...groupPromises });
}

/** The contract of {@link ScimActivityStorage} as tests for `node:test`, for any adapter to pass. */
export function describeScimActivityStorage(target: StorageTarget<ScimActivityStorage>): void {
  describeStorage(target, activityPromises);
}
