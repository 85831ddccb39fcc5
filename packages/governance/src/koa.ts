export type { GovernanceCapabilityOptions } from './capability.ts';
export { createGovernanceCapability } from './capability.ts';
export { createGovernanceRouter, createTrustRouter, governanceEndpoints } from './http.ts';
export type { ScanEndpointOptions } from './scans/http.ts';
export { scanEndpoint } from './scans/http.ts';
