import type { Router } from '@koa/router';
import type { RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, platformErrors } from '@probity/core/koa';
import { platformEndpoints } from './endpoints.ts';
import type { Platform } from './platform.ts';

/** Creates the router of the platform API, to be mounted at `/v1` or under a host's own prefix. */
export function createPlatformRouter(services: Platform, options: RouterOptions): Router {
  return createEndpointRouter(platformEndpoints(services), platformErrors, options);
}
export type { PlatformCapability, PlatformCapabilityOptions } from './capability.ts';
export { createPlatformCapability } from './capability.ts';
export { platformEndpoints } from './endpoints.ts';
export { instanceEndpoints } from './usage/http/instances.ts';
