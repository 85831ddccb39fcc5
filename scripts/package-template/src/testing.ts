import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import type { SampleStorage } from './storage.ts';
import { thingPromises } from './things/contract.ts';

/** The contract of {@link SampleStorage} as tests for `node:test`, for any adapter to pass. */
export function describeSampleStorage(target: StorageTarget<SampleStorage>): void {
  describeStorage(target, { ...thingPromises });
}
