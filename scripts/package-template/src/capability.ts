import type { Capability, Runtime } from '@probity/core';
import { generalErrors } from '@probity/core/koa';
import type { SampleServices } from './http.ts';
import { sampleEndpoints } from './http.ts';
import type { SampleStorage } from './storage.ts';
import { createThings } from './things/things.ts';

/** Options of {@link createSampleCapability}. */
export interface SampleCapabilityOptions {
  /** Must use the database of the runtime. */
  readonly storage: SampleStorage;
  /** Path prefix of the endpoints; default `/api/v1`. */
  readonly prefix?: string | undefined;
}

/** Creates the services and endpoints of the package on a runtime. */
export function createSampleCapability(
  runtime: Runtime,
  { storage, prefix = '/api/v1' }: SampleCapabilityOptions,
): Capability<SampleServices> {
  const services: SampleServices = { things: createThings(runtime, { storage }) };
  return {
    name: 'sample',
    services,
    groups: [
      {
        prefix,
        errorFormat: generalErrors,
        endpoints: sampleEndpoints(services),
        documentation: { tags: { Things: 'The ~things~ of an organization.' } },
      },
    ],
  };
}
