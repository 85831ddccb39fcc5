import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { KnowledgeImports } from './imports.ts';
import type { ImportRecord } from './types.ts';
import { IMPORT_STATUSES } from './types.ts';

const count = z.int().min(0);

const recordSchema = z
  .strictObject({
    id: z.string(),
    format: z.enum(['csv', 'json']),
    strict: z.boolean(),
    status: z
      .enum(IMPORT_STATUSES)
      .describe(
        'interrupted: nothing was read for five minutes; failed: the file was refused or its connection broke.',
      ),
    rows: count.describe('Rows that were read.'),
    created: count,
    updated: count,
    unchanged: count,
    failed: count.describe('Rows that were refused.'),
    problem: z.string().nullable().describe('Why the file was not read to its end.'),
    created_at: timestamp,
    updated_at: timestamp.describe('When the last batch was read.'),
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'ImportProgress' });

const refusedRow = z.strictObject({
  line: z.int().min(1),
  field: z.string().nullable(),
  message: z.string(),
});

const detailSchema = recordSchema
  .extend({ errors: z.array(refusedRow).describe('Refused rows, once the import has ended.') })
  .meta({ id: 'ImportDetail' });

/** Declares the records of imports, by which their progress is seen. */
export function recordEndpoints(imports: KnowledgeImports): Endpoint[] {
  const shared = {
    method: 'GET',
    tag: 'Knowledge',
    rateLimit: 'general',
    permission: 'knowledge:read',
  } as const;
  const path = '/knowledge/imports';
  return [
    endpoint({
      ...shared,
      path,
      operationId: 'listImports',
      summary: 'List imports and their progress',
      description: 'Lists imports of the last 90 days, running ones with how far they are.',
      query: pageQuery,
      responses: {
        200: { description: 'A page of imports, newest first', schema: dataList(recordSchema) },
      },
      async handler({ context, query, reply }) {
        const { items, total } = await imports.list(context, query);
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      ...shared,
      path: `${path}/{import_id}`,
      operationId: 'getImport',
      summary: 'Get an import and its progress',
      description: 'Returns how far an import is, and once it has ended its first refused rows.',
      params: z.strictObject({ import_id: z.string() }),
      responses: { 200: { description: 'The import', schema: dataObject(detailSchema) } },
      async handler({ context, params: { import_id: id }, reply }) {
        const record = await imports.get(context, id);
        return reply(200, { data: { ...toWire(record), errors: [...record.errors] } });
      },
    }),
  ];
}

function toWire(record: ImportRecord): z.infer<typeof recordSchema> {
  const { id, format, status, rows, created, updated, unchanged, failed, problem } = record;
  return {
    ...{ id, format, strict: record.isStrict, status },
    ...{ rows, created, updated, unchanged, failed, problem },
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
    ended_at: record.endedAt?.toISOString() ?? null,
  };
}
