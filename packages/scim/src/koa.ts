export type { ScimCapabilityOptions } from './capability.ts';
export { createScimCapability } from './capability.ts';
export type { ScimEndpointOptions, ScimRouterOptions, ScimServices } from './http.ts';
export { createScimRouter, scimEndpoints } from './http.ts';
