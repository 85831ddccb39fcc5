import type { Middleware } from 'koa';
import type { ApiKeys } from '../../platform/api-keys.ts';
import type { Organizations } from '../../platform/organizations.ts';
import { platformDialect } from '../dialect.ts';
import type { Endpoint } from '../endpoint.ts';
import type { RouterOptions } from '../router.ts';
import { createEndpointRouter } from '../router.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { organizationEndpoints } from './organizations.ts';
import { roleEndpoints } from './roles.ts';

/** The services behind the platform interface. */
export interface PlatformServices {
  readonly organizations: Organizations;
  readonly apiKeys: ApiKeys;
}

/** Every endpoint of the platform interface, relative to `/v1`. */
export function platformEndpoints(services: PlatformServices): Endpoint[] {
  return [
    ...organizationEndpoints(services.organizations),
    ...roleEndpoints(),
    ...apiKeyEndpoints(services.apiKeys),
  ];
}

/** The platform interface as Koa middleware, to be mounted at `/v1` or under a host's own prefix. */
export function createPlatformRouter(
  services: PlatformServices,
  options: RouterOptions,
): Middleware {
  return createEndpointRouter(platformEndpoints(services), platformDialect, options);
}
