import { z } from 'zod';
import { permissionsWith, ROLES } from '../contract/permissions.ts';
import { PLANS } from '../contract/plans.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import { dataObject } from './schemas.ts';

const caller = z
  .strictObject({
    organizationId: z.string(),
    memberId: z.string().describe('The member whose credential it is.'),
    credential: z
      .enum(['key', 'session'])
      .describe('`session`: a person signed in; `key`: an API key, or a credential of the host.'),
    role: z
      .enum(ROLES)
      .nullable()
      .describe('Null for a caller to whom an application gave permissions instead of a role.'),
    plan: z.enum(PLANS).describe('The plan of the organization.'),
    permissions: z.array(z.string()).describe('All that the caller may do.'),
  })
  .meta({ id: 'Caller' });

/**
 * `GET /whoami` of the general API: every server and every application that embeds capabilities has it,
 * so that a client can check its credential and its address.
 */
export function callerEndpoints(): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/whoami',
      operationId: 'getWhoami',
      summary: 'Get the caller',
      description:
        'Returns the organization, the role and the plan of the credential of the request. It is served wherever Probity ' +
        'is, so that a client can check its address and its credential.',
      tag: 'Status',
      permission: 'session:read',
      rateLimit: 'general',
      allowedOverQuota: true,
      responses: { 200: { description: 'The caller', schema: dataObject(caller) } },
      async handler({ context: { principal }, reply }) {
        const { organizationId, memberId, sessionId, role, plan } = principal;
        const credential = sessionId === undefined ? 'key' : 'session';
        const permissions = permissionsWith(principal);
        return reply(200, {
          data: { organizationId, memberId, credential, role, plan, permissions },
        });
      },
    }),
  ];
}
