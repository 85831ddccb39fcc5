import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { alertChangePromises } from './alerts/change-contract.ts';
import { alertPromises } from './alerts/contract.ts';
import { policyPromises } from './policies/contract.ts';
import type { PolicyStorage } from './policies/storage.ts';
import { scanPromises } from './scans/contract.ts';
import { upkeepPromises } from './settings/contract.ts';
import type { UpkeepStorage } from './settings/storage.ts';
import type { GovernanceStorage } from './storage.ts';

/** The contract of {@link GovernanceStorage} as tests for `node:test`, for any adapter to pass. */
export function describeGovernanceStorage(target: StorageTarget<GovernanceStorage>): void {
  describeStorage(target, { ...scanPromises, ...alertPromises, ...alertChangePromises });
}

/** The contract of {@link PolicyStorage} as tests for `node:test`, for any adapter to pass. */
export function describePolicyStorage(target: StorageTarget<PolicyStorage>): void {
  describeStorage(target, policyPromises);
}

/** The contract of {@link UpkeepStorage} as tests for `node:test`, for any adapter to pass. */
export function describeUpkeepStorage(target: StorageTarget<UpkeepStorage>): void {
  describeStorage(target, upkeepPromises);
}
