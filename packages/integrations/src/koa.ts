export type { IntegrationsCapabilityOptions } from './capability.ts';
export { createIntegrationsCapability } from './capability.ts';
export { createIntegrationsRouter, integrationsEndpoints } from './http.ts';
