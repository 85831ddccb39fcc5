export type { BillingContractDatabase, BillingContractTarget } from './testing/billing-contract.ts';
export { describeBillingStorageContract } from './testing/billing-contract.ts';
export type { ContractDatabase, ContractTarget } from './testing/contract-target.ts';
export { describeDatabaseContract } from './testing/database-contract.ts';
export { createTestOrganization, platformStorageOf, testContext } from './testing/fixtures.ts';
export type {
  MaintenanceContractDatabase,
  MaintenanceContractTarget,
} from './testing/maintenance-contract.ts';
export { describeMaintenanceStorageContract } from './testing/maintenance-contract.ts';
export { describeMemberStorageContract } from './testing/member-contract.ts';
export type {
  MemberContractDatabase,
  MemberContractTarget,
} from './testing/member-contract-target.ts';
export { describePlatformStorageContract } from './testing/platform-contract.ts';
export { describeSignInStorageContract } from './testing/sign-in-contract.ts';
export type {
  SignInContractDatabase,
  SignInContractTarget,
} from './testing/sign-in-contract-target.ts';
export type { DatabaseTarget, TargetOptions, TestDatabase } from './testing/targets.ts';
export { databaseTargets } from './testing/targets.ts';
export type { UsageContractDatabase, UsageContractTarget } from './testing/usage-contract.ts';
export { describeUsageStorageContract } from './testing/usage-contract.ts';
