import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, generalErrors } from '@probity/core/koa';
import { alertEndpoints } from './alerts/http.ts';
import { certificateEndpoints } from './certificates/http.ts';
import { trustEndpoints, trustPageEndpoints } from './certificates/trust-http.ts';
import { doorEndpoints } from './doors/http.ts';
import type { Governance } from './governance.ts';
import { policyEndpoints } from './policies/http.ts';
import { protectedTextEndpoints } from './protected-texts/http.ts';
import { scanEndpoints } from './scans/http.ts';
import { restorationEndpoints } from './scans/restoration-http.ts';
import { settingsEndpoints } from './settings/http.ts';
import type { Shield } from './shield.ts';
import { verificationEndpoints } from './verification/http.ts';

/** Every governance endpoint, relative to `/api/v1`. */
export function governanceEndpoints({
  scans,
  batches,
  doors,
  alerts,
  policies,
  dryRuns,
  restorations,
  shield,
  settings,
  protectedTexts,
}: Governance): Endpoint[] {
  return [
    ...scanEndpoints(scans, batches),
    ...restorationEndpoints(restorations),
    ...policyEndpoints(policies, dryRuns),
    ...protectedTextEndpoints(protectedTexts),
    ...alertEndpoints(alerts),
    ...(shield
      ? [
          ...verificationEndpoints(shield),
          ...certificateEndpoints(shield),
          ...trustEndpoints(shield),
        ]
      : []),
    ...settingsEndpoints(settings),
    ...doorEndpoints(doors),
  ];
}

/** The governance endpoints as a router, for `/api/v1` or a host's own prefix. */
export function createGovernanceRouter(services: Governance, options: RouterOptions): Router {
  return createEndpointRouter(governanceEndpoints(services), generalErrors, options);
}

/** The key set and the page of certificates as a router, for the base of the public addresses. */
export function createTrustRouter(shield: Shield, options: RouterOptions): Router {
  return createEndpointRouter(trustPageEndpoints(shield), generalErrors, options);
}
