// Contract suites for storage adapters, and test utilities for packages.
export { describeMaintenanceStorageContract } from './maintenance/contract.ts';
export { describeDatabaseContract } from './storage/contract.ts';
export type {
  ContractCheck,
  ContractDatabase,
  ContractPromises,
  ContractTarget,
  OpenedTarget,
} from './testing/contract-target.ts';
export { connectionsOf, withDatabase } from './testing/contract-target.ts';
export type { TestContext, TestTenant } from './testing/fixtures.ts';
export { createTestTenant, testContext, withTenant } from './testing/fixtures.ts';
export type { ReportedRequest, TestLifetime } from './testing/http.ts';
export {
  addressOf,
  as,
  authenticateByRole,
  collectRequests,
  koaOf,
  serveKoa,
} from './testing/http.ts';
export {
  at,
  claim,
  countJobs,
  enqueue,
  newAuditEntry,
  newEvent,
  newJob,
  recordAudit,
  START,
} from './testing/records.ts';
export { finishRemovals } from './testing/removals.ts';
export type { Answer, Call, ServeOptions } from './testing/serve-router.ts';
export { serveRouter } from './testing/serve-router.ts';
export type { HostConnection, HostTransaction } from './testing/sql/host-transactions.ts';
export { hostConnections } from './testing/sql/host-transactions.ts';
export type { StatementListener } from './testing/sql/recorded-statements.ts';
export { recordStatements } from './testing/sql/recorded-statements.ts';
export type { OpenedStorage, PromiseCheck, StorageTarget } from './testing/storage-contract.ts';
export { describeStorage, storageTargets } from './testing/storage-contract.ts';
export type { DatabaseTarget, TargetOptions, TestDatabase } from './testing/targets.ts';
export { databaseTargets } from './testing/targets.ts';
