import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, generalErrors } from '@probity/core/koa';
import { alertEndpoints } from './alerts/http.ts';
import type { Governance } from './governance.ts';
import { policyEndpoints } from './policies/http.ts';
import { protectedTextEndpoints } from './protected-texts/http.ts';
import { scanEndpoints } from './scans/http.ts';
import { restorationEndpoints } from './scans/restoration-http.ts';

/** Every governance endpoint, relative to `/api/v1`. */
export function governanceEndpoints({
  scans,
  alerts,
  policies,
  dryRuns,
  restorations,
  protectedTexts,
}: Governance): Endpoint[] {
  return [
    ...scanEndpoints(scans),
    ...restorationEndpoints(restorations),
    ...policyEndpoints(policies, dryRuns),
    ...protectedTextEndpoints(protectedTexts),
    ...alertEndpoints(alerts),
  ];
}

/** The governance endpoints as a router, for `/api/v1` or a host's own prefix. */
export function createGovernanceRouter(services: Governance, options: RouterOptions): Router {
  return createEndpointRouter(governanceEndpoints(services), generalErrors, options);
}
