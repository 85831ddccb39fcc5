export type { GovernanceCapabilityOptions } from './capability.ts';
export { createGovernanceCapability } from './capability.ts';
export { createGovernanceRouter, createTrustRouter, governanceEndpoints } from './http.ts';
