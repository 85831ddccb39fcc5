import type { Middleware } from 'koa';
import type { Platform } from '../../platform/platform.ts';
import { platformDialect } from '../dialect.ts';
import type { Endpoint } from '../endpoint.ts';
import type { RouterOptions } from '../router.ts';
import { createEndpointRouter } from '../router.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { auditLogEndpoints } from './audit-log.ts';
import { organizationEndpoints } from './organizations.ts';
import { roleEndpoints } from './roles.ts';

/** Every endpoint of the platform interface, relative to `/v1`. */
export function platformEndpoints(services: Platform): Endpoint[] {
  return [
    ...organizationEndpoints(services.organizations),
    ...roleEndpoints(),
    ...apiKeyEndpoints(services.apiKeys),
    ...auditLogEndpoints(services.auditLog),
  ];
}

/** The platform interface as Koa middleware, to be mounted at `/v1` or under a host's own prefix. */
export function createPlatformRouter(services: Platform, options: RouterOptions): Middleware {
  return createEndpointRouter(platformEndpoints(services), platformDialect, options);
}
