import type { Endpoint } from '@probity/core/koa';
import { invoiceEndpoints } from './billing/http/invoices.ts';
import { subscriptionEndpoints } from './billing/http/subscription.ts';
import { apiKeyEndpoints } from './credentials/http/api-keys.ts';
import { scimAdministrationEndpoints } from './credentials/http/scim.ts';
import { invitationEndpoints } from './members/http/invitations.ts';
import { memberEndpoints } from './members/http/members.ts';
import { roleEndpoints } from './members/http/roles.ts';
import { auditLogEndpoints } from './organizations/http/audit-log.ts';
import { organizationChangeEndpoints } from './organizations/http/changes.ts';
import { organizationEndpoints } from './organizations/http/organizations.ts';
import type { Platform } from './platform.ts';
import { authEndpoints } from './sign-in/http/auth.ts';
import { usageEndpoints } from './usage/http/usage.ts';

/** All endpoints of the platform API, relative to `/v1`. */
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
