export type { GovernanceCapabilityOptions } from './capability.ts';
export { createGovernanceCapability } from './capability.ts';
export { createGovernanceRouter, governanceEndpoints } from './http.ts';
