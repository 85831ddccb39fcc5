export type { EvidenceCapabilityOptions } from './capability.ts';
export { createEvidenceCapability } from './capability.ts';
export { createEvidenceRouter, evidenceEndpoints } from './http.ts';
