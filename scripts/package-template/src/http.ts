import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, generalErrors } from '@probity/core/koa';
import { thingEndpoints } from './things/http.ts';
import type { Things } from './things/things.ts';

/** Services called by the endpoints. */
export interface SampleServices {
  readonly things: Things;
}

/** All endpoints of the package, with paths relative to the mount prefix. */
export function sampleEndpoints({ things }: SampleServices): Endpoint[] {
  return thingEndpoints(things);
}

/** Creates a Koa router of all endpoints; mount it at `/api/v1` or any other prefix. */
export function createSampleRouter(services: SampleServices, options: RouterOptions): Router {
  return createEndpointRouter(sampleEndpoints(services), generalErrors, options);
}
