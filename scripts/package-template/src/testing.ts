import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import type { SampleStorage } from './storage.ts';
import { thingPromises } from './things/contract.ts';

/** Registers the contract suite of {@link SampleStorage} in `node:test`; every adapter must pass it. */
export function describeSampleStorage(target: StorageTarget<SampleStorage>): void {
  describeStorage(target, { ...thingPromises });
}
