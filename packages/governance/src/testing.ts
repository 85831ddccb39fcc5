import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { alertPromises } from './alerts/contract.ts';
import { policyPromises } from './policies/contract.ts';
import type { PolicyStorage } from './policies/storage.ts';
import { protectedTextPromises } from './protected-texts/contract.ts';
import type { ProtectedTextStorage } from './protected-texts/storage.ts';
import { scanPromises } from './scans/contract.ts';
import type { GovernanceStorage } from './storage.ts';

/** The contract of {@link GovernanceStorage} as tests for `node:test`, for any adapter to pass. */
export function describeGovernanceStorage(target: StorageTarget<GovernanceStorage>): void {
  describeStorage(target, { ...scanPromises, ...alertPromises });
}

/** The contract of {@link PolicyStorage} as tests for `node:test`, for any adapter to pass. */
export function describePolicyStorage(target: StorageTarget<PolicyStorage>): void {
  describeStorage(target, policyPromises);
}

/** The contract of {@link ProtectedTextStorage} as tests for `node:test`, for any adapter to pass. */
export function describeProtectedTextStorage(target: StorageTarget<ProtectedTextStorage>): void {
  describeStorage(target, protectedTextPromises);
}
