// Contract suites for the platform's storage adapters, and what tests are built with.
export type { BillingContractDatabase, BillingContractTarget } from './billing/contract.ts';
export { describeBillingStorageContract } from './billing/contract.ts';
export { describeMemberStorageContract } from './members/contract.ts';
export { describePlatformStorageContract } from './organizations/contract.ts';
export { describeSignInStorageContract } from './sign-in/contract.ts';
export { createTestOrganization } from './testing/fixtures.ts';
export type {
  MemberContractDatabase,
  MemberContractTarget,
} from './testing/member-contract-target.ts';
export type {
  SignInContractDatabase,
  SignInContractTarget,
} from './testing/sign-in-contract-target.ts';
export type {
  PlatformContractDatabase,
  PlatformContractTarget,
  PlatformTarget,
  PlatformTestDatabase,
} from './testing/targets.ts';
export { platformTargets } from './testing/targets.ts';
export type { UsageContractDatabase, UsageContractTarget } from './usage/contract.ts';
export { describeUsageStorageContract } from './usage/contract.ts';
