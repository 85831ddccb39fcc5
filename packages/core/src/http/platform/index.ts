import type { Middleware } from 'koa';
import type { Platform } from '../../platform/platform.ts';
import { platformDialect } from '../dialect.ts';
import type { Endpoint } from '../endpoint.ts';
import type { RouterOptions } from '../router.ts';
import { createEndpointRouter } from '../router.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { auditLogEndpoints } from './audit-log.ts';
import { authEndpoints } from './auth.ts';
import { invitationEndpoints } from './invitations.ts';
import { invoiceEndpoints } from './invoices.ts';
import { memberEndpoints } from './members.ts';
import { organizationChangeEndpoints } from './organization-changes.ts';
import { organizationEndpoints } from './organizations.ts';
import { roleEndpoints } from './roles.ts';
import { scimAdministrationEndpoints } from './scim.ts';
import { subscriptionEndpoints } from './subscription.ts';
import { usageEndpoints } from './usage.ts';

/** Every endpoint of the platform interface, relative to `/v1`. */
export function platformEndpoints(services: Platform): Endpoint[] {
  return [
    ...organizationEndpoints(services.organizations, services.instances),
    ...organizationChangeEndpoints(services.organizations, services.instances),
    ...roleEndpoints(),
    ...memberEndpoints(services.members),
    ...invitationEndpoints(services.invitations),
    ...apiKeyEndpoints(services.apiKeys),
    ...scimAdministrationEndpoints(services.scim),
    ...subscriptionEndpoints(services.subscriptions),
    ...invoiceEndpoints(services.invoices),
    ...usageEndpoints(services.usage),
    ...auditLogEndpoints(services.auditLog),
    ...authEndpoints(services.signIn),
  ];
}

/** The platform interface as Koa middleware, to be mounted at `/v1` or under a host's own prefix. */
export function createPlatformRouter(services: Platform, options: RouterOptions): Middleware {
  return createEndpointRouter(platformEndpoints(services), platformDialect, options);
}
