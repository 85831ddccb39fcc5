import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, generalErrors } from '@probity/core/koa';
import { thingEndpoints } from './things/http.ts';
import type { Things } from './things/things.ts';

/** The services behind the endpoints. */
export interface SampleServices {
  readonly things: Things;
}

/** Every endpoint of the package, relative to `/api/v1`. */
export function sampleEndpoints({ things }: SampleServices): Endpoint[] {
  return thingEndpoints(things);
}

/** The endpoints as a router, to be mounted at `/api/v1` or under a host's prefix. */
export function createSampleRouter(services: SampleServices, options: RouterOptions): Router {
  return createEndpointRouter(sampleEndpoints(services), generalErrors, options);
}
