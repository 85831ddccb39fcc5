import { permissionsOf, ROLE_DESCRIPTIONS, ROLES, toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, pageInfo, pageQuery } from '@probity/core/koa';
import { z } from 'zod';

const role = z
  .strictObject({
    id: z.enum(ROLES),
    name: z.string(),
    description: z.string(),
    permissions: z.array(z.string()),
  })
  .meta({ id: 'Role' });

/** The endpoint that lists roles and their permissions. */
export function roleEndpoints(): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/roles',
      operationId: 'listRoles',
      summary: 'List the roles with their permissions',
      description:
        'Lists the roles that members and API keys can have. The same table authorizes requests.',
      tag: 'Roles',
      permission: 'roles:read',
      rateLimit: 'platform',
      query: pageQuery,
      responses: {
        200: {
          description: 'The roles, from most to least powerful',
          schema: z.strictObject({ roles: z.array(role), ...pageInfo }),
        },
      },
      async handler({ query, reply }) {
        const page = ROLES.slice(query.offset, query.offset + query.limit);
        const roles = page.map((id) => ({
          id,
          name: id.charAt(0).toUpperCase() + id.slice(1),
          description: ROLE_DESCRIPTIONS[id],
          permissions: permissionsOf(id),
        }));
        return reply(200, { roles, ...toPageInfo(query, ROLES.length) });
      },
    }),
  ];
}
