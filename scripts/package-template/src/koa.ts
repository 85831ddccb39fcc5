export type { SampleCapabilityOptions } from './capability.ts';
export { createSampleCapability } from './capability.ts';
export type { SampleServices } from './http.ts';
export { createSampleRouter, sampleEndpoints } from './http.ts';
