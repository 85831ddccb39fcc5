import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { integrationPromises } from './integrations/contract.ts';
import type { IntegrationsStorage } from './storage.ts';

/** Registers the contract suite of {@link IntegrationsStorage} in `node:test`; every adapter must pass it. */
export function describeIntegrationsStorage(target: StorageTarget<IntegrationsStorage>): void {
  describeStorage(target, { ...integrationPromises });
}
