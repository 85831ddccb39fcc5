export { createTestOrganization, platformStorageOf, testContext } from './testing/fixtures.ts';
export type { DatabaseTarget, TargetOptions, TestDatabase } from './testing/targets.ts';
export { databaseTargets } from './testing/targets.ts';
