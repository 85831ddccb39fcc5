export type { ContractDatabase, ContractTarget } from './testing/contract-target.ts';
export { describeDatabaseContract } from './testing/database-contract.ts';
export { createTestOrganization, platformStorageOf, testContext } from './testing/fixtures.ts';
export { describePlatformStorageContract } from './testing/platform-contract.ts';
export type { DatabaseTarget, TargetOptions, TestDatabase } from './testing/targets.ts';
export { databaseTargets } from './testing/targets.ts';
