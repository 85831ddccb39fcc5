import type { GroupDocumentation } from '@probity/core/koa';
import { examples } from './examples.generated.ts';

/** Documentation of the endpoint that instances report to. */
export const instanceDocumentation: GroupDocumentation = {
  examples,
  tags: { Instances: 'Gateways and agents that report that they run.' },
};

/** Documentation of the platform endpoints. */
export const platformDocumentation: GroupDocumentation = {
  examples,
  tags: {
    Organizations: 'Organizations with their settings.',
    Roles: 'The roles of members and API keys, with their permissions.',
    Members: 'The members of an organization and their roles.',
    Invitations: 'Invitations of pending members, sent by e-mail.',
    'API keys': 'Keys that authenticate programs.',
    'SCIM administration': 'The token with which an identity provider manages members.',
    Billing: 'Plan, invoices and usage of an organization.',
    'Audit log': 'Who changed what in an organization, in an append-only log.',
    'Signing in': 'Sessions, passwords and second factors of members.',
  },
};
