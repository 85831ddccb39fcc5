// The contract suite for the platform's storage adapters, and what tests are built with.
export { describePlatformStorageContract } from './testing/contract.ts';
export { createTestOrganization } from './testing/fixtures.ts';
export type {
  PlatformContractDatabase,
  PlatformContractTarget,
  PlatformTarget,
  PlatformTestDatabase,
} from './testing/targets.ts';
export { platformTargets } from './testing/targets.ts';
