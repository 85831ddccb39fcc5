import type { Router } from '@koa/router';
import type { Endpoint, RouterOptions } from '@probity/core/koa';
import { createEndpointRouter, generalErrors } from '@probity/core/koa';
import { integrationEndpoints } from './integrations/http.ts';
import { incidentEndpoints } from './itsm/http.ts';
import type { IntegrationsServices } from './services.ts';

/** Every endpoint of integrations, relative to `/api/v1`. */
export function integrationsEndpoints(services: IntegrationsServices): Endpoint[] {
  const { integrations, incidents, check } = services;
  return [...integrationEndpoints(integrations, check), ...incidentEndpoints(incidents)];
}

/** The endpoints of integrations as a router, to be mounted at `/api/v1` or under a host's prefix. */
export function createIntegrationsRouter(
  services: IntegrationsServices,
  options: RouterOptions,
): Router {
  return createEndpointRouter(integrationsEndpoints(services), generalErrors, options);
}
