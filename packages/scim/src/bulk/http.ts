import type { Endpoint } from '@probity/core/koa';
import { endpoint, scimErrors } from '@probity/core/koa';
import { z } from 'zod';
import { jsonObject, shared, WRITE } from '../resources/http.ts';
import type { BulkOptions, BulkResult } from './bulk.ts';
import { runBulk } from './bulk.ts';
import { MAX_BODY_BYTES, MAX_BULK_OPERATIONS } from './limits.ts';
import { BULK_RESPONSE, parseBulkRequest } from './plan.ts';

const bulkRequest = jsonObject(
  'ScimBulkRequest',
  'Operations, each with method, path, bulkId and data (RFC 7644, section 3.7).',
);

const bulkResponse = z
  .strictObject({
    schemas: z.array(z.string()),
    Operations: z.array(
      z.strictObject({
        method: z.string(),
        bulkId: z.string().optional(),
        version: z.string().optional(),
        location: z.string().optional(),
        status: z.string(),
        response: z.looseObject({}).optional(),
      }),
    ),
  })
  .meta({ id: 'ScimBulkResponse' });

/** Declares `/Bulk` (RFC 7644, section 3.7). */
export function bulkEndpoints(options: BulkOptions): Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/Bulk',
      operationId: 'runScimBulk',
      summary: 'Run several operations',
      description:
        `At most ${MAX_BULK_OPERATIONS}, each done or refused by itself. Values \`bulkId:…\` stand for the ` +
        'ids of resources that other operations create.',
      permission: WRITE,
      body: bulkRequest,
      bodyLimit: MAX_BODY_BYTES,
      responses: { 200: { description: 'The results', schema: bulkResponse } },
      async handler({ context, body, reply }) {
        const results = await runBulk(parseBulkRequest(body), context, options);
        const Operations = results.map((result) => toWire(result, context.requestId));
        return reply(200, { schemas: [BULK_RESPONSE], Operations });
      },
    }),
  ];
}

function toWire({ operation, location, version, status, error }: BulkResult, requestId: string) {
  const { method, bulkId } = operation;
  const sentStatus = error ? scimErrors.status(error) : status;
  return {
    method,
    ...(bulkId === null ? {} : { bulkId }),
    ...(version === null ? {} : { version }),
    ...(location === null ? {} : { location }),
    status: String(sentStatus),
    ...(error ? { response: { ...scimErrors.body(error, requestId) } } : {}),
  };
}
