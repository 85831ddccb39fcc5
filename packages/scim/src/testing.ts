import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { activityPromises } from './activity/contract.ts';
import type { ScimActivityStorage } from './activity/storage.ts';
import { groupPromises } from './groups/contract.ts';
import type { ScimStorage } from './storage.ts';
import { userPromises } from './users/contract.ts';

/** What an adapter has. */
export interface ScimStorageParts {
  /** False for one of an application without groups; default true. */
  readonly groups?: boolean;
}

/** The contract of {@link ScimStorage} as tests for `node:test`, for any adapter to pass. */
export function describeScimStorage(
  target: StorageTarget<ScimStorage>,
  { groups = true }: ScimStorageParts = {},
): void {
  describeStorage(target, { ...userPromises, ...(groups ? groupPromises : {}) });
}

/** The contract of {@link ScimActivityStorage} as tests for `node:test`, for any adapter to pass. */
export function describeScimActivityStorage(target: StorageTarget<ScimActivityStorage>): void {
  describeStorage(target, activityPromises);
}
