import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { endpoint, pageInfo, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { ScimActivity } from './activity.ts';
import { MAX_SCIM_REQUESTS } from './activity.ts';

const activityList = z
  .strictObject({
    requests: z.array(
      z
        .strictObject({
          time: timestamp,
          method: z.string(),
          path: z.string().describe('Path and query below the SCIM base URL.'),
          status: z.int(),
          detail: z.string().nullable().describe('What was wrong; null for a success.'),
        })
        .meta({ id: 'ScimRequest' }),
    ),
    ...pageInfo,
  })
  .meta({ id: 'ScimActivity' });

/** Declares the list of the latest SCIM requests, for administrators (contract, section 3). */
export function activityEndpoints(activity: ScimActivity): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/organizations/{org_id}/scim/activity',
      operationId: 'listScimActivity',
      summary: 'List the latest SCIM requests',
      description: `The last ${MAX_SCIM_REQUESTS} requests with a valid SCIM token, newest first, without bodies.`,
      tag: 'SCIM administration',
      permission: 'scim:read',
      rateLimit: 'platform',
      params: z.strictObject({ org_id: z.string() }),
      query: pageQuery,
      responses: { 200: { description: 'A page of requests', schema: activityList } },
      async handler({ params, query, reply }) {
        const all = await activity.list(params.org_id);
        const page = all.slice(query.offset, query.offset + query.limit);
        const requests = page.map(({ at, ...request }) => ({ time: at.toISOString(), ...request }));
        return reply(200, { requests, ...toPageInfo(query, all.length) });
      },
    }),
  ];
}
