import type { StorageTarget } from '@probity/core/testing';
import { describeStorage } from '@probity/core/testing';
import { alertChangePromises } from './alerts/change-contract.ts';
import { alertPromises } from './alerts/contract.ts';
import { batchPromises } from './batches/contract.ts';
import type { BatchStorage } from './batches/storage.ts';
import { certificatePromises } from './certificates/contract.ts';
import type { CertificateStorage } from './certificates/storage.ts';
import { policyPromises } from './policies/contract.ts';
import type { PolicyStorage } from './policies/storage.ts';
import { protectedTextPromises } from './protected-texts/contract.ts';
import type { ProtectedTextStorage } from './protected-texts/storage.ts';
import { scanPromises } from './scans/contract.ts';
import { upkeepPromises } from './settings/contract.ts';
import type { UpkeepStorage } from './settings/storage.ts';
import { signingKeyPromises } from './signing-keys/contract.ts';
import type { GovernanceStorage } from './storage.ts';

/** The contract of {@link GovernanceStorage} as tests for `node:test`, for any adapter to pass. */
export function describeGovernanceStorage(target: StorageTarget<GovernanceStorage>): void {
  describeStorage(target, { ...scanPromises, ...alertPromises, ...alertChangePromises });
}

/** The contract of {@link PolicyStorage} as tests for `node:test`, for any adapter to pass. */
export function describePolicyStorage(target: StorageTarget<PolicyStorage>): void {
  describeStorage(target, policyPromises);
}

/** The contract of {@link CertificateStorage} as tests for `node:test`, for any adapter to pass. */
export function describeCertificateStorage(target: StorageTarget<CertificateStorage>): void {
  describeStorage(target, { ...certificatePromises, ...signingKeyPromises });
}

/** The contract of {@link BatchStorage} as tests for `node:test`, for any adapter to pass. */
export function describeBatchStorage(target: StorageTarget<BatchStorage>): void {
  describeStorage(target, batchPromises);
}

/** The contract of {@link UpkeepStorage} as tests for `node:test`, for any adapter to pass. */
export function describeUpkeepStorage(target: StorageTarget<UpkeepStorage>): void {
  describeStorage(target, upkeepPromises);
}

/** The contract of {@link ProtectedTextStorage} as tests for `node:test`, for any adapter to pass. */
export function describeProtectedTextStorage(target: StorageTarget<ProtectedTextStorage>): void {
  describeStorage(target, protectedTextPromises);
}
