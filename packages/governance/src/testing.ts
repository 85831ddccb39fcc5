export type { GovernanceStorageTarget, OpenedGovernanceStorage } from './testing/contract.ts';
export { describeGovernanceStorage } from './testing/contract.ts';
