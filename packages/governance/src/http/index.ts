import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, generalErrors } from '@probity/core/koa';
import type { Alerts } from '../alerts.ts';
import type { Governance } from '../governance.ts';
import { alertEndpoints } from './alerts.ts';
import { scanEndpoints } from './scans.ts';

/** The services behind the governance endpoints. */
export interface GovernanceServices {
  readonly governance: Governance;
  readonly alerts: Alerts;
}

/** Every governance endpoint, relative to `/api/v1`. */
export function governanceEndpoints(services: GovernanceServices): Endpoint[] {
  return [...scanEndpoints(services.governance), ...alertEndpoints(services.alerts)];
}

/** The governance endpoints as a router, for `/api/v1` or a host's own prefix. */
export function createGovernanceRouter(
  services: GovernanceServices,
  options: RouterOptions,
): Router {
  return createEndpointRouter(governanceEndpoints(services), generalErrors, options);
}
