import type { Capability, Runtime } from '@probity/core';
import { generalErrors } from '@probity/core/koa';
import type { SampleServices } from './http.ts';
import { sampleEndpoints } from './http.ts';
import type { SampleStorage } from './storage.ts';
import { createThings } from './things/things.ts';

/** What the package needs in a program. */
export interface SampleCapabilityOptions {
  /** Bound to the runtime's database. */
  readonly storage: SampleStorage;
  /** Default: `/api/v1`. */
  readonly prefix?: string | undefined;
}

/** Everything that the package brings to a program. */
export function createSampleCapability(
  runtime: Runtime,
  { storage, prefix = '/api/v1' }: SampleCapabilityOptions,
): Capability<SampleServices> {
  const services: SampleServices = { things: createThings(runtime, { storage }) };
  return {
    name: 'sample',
    services,
    groups: [{ prefix, errorFormat: generalErrors, endpoints: sampleEndpoints(services) }],
  };
}
