import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint, stream } from '@probity/core/koa';
import { z } from 'zod';
import { newNugget } from '../nuggets/input.ts';
import type { KnowledgeImports } from './imports.ts';
import { recordEndpoints } from './record-http.ts';

/** The largest file in bytes; it is read as it arrives. */
const MAX_IMPORT_BYTES = 1_073_741_824;

const count = z.int().min(0);

const importResult = z
  .strictObject({
    id: z.string().describe('Names the import in `GET /knowledge/imports/{import_id}`.'),
    rows: count.describe('Rows of the file, without the header.'),
    created: count.describe('Nuggets that are new.'),
    updated: count.describe('Nuggets whose category or confidence the file has changed.'),
    unchanged: count.describe('Rows that the knowledge base had as they are.'),
    failed: count.describe('Rows that were refused.'),
    errors: z
      .array(
        z.strictObject({
          line: z
            .int()
            .min(1)
            .describe('Of CSV the line, with the header; of JSON the place in the array, from 1.'),
          field: z.string().nullable(),
          message: z.string(),
        }),
      )
      .describe('Why rows were refused: of the first 1,000 of them.'),
  })
  .meta({ id: 'KnowledgeImport' });

const TRUE_OR_FALSE = 'must be true or false';

/** Declares the import of knowledge bases (contract, section 7). */
export function knowledgeImportEndpoints(imports: KnowledgeImports): Endpoint[] {
  return [
    ...recordEndpoints(imports),
    endpoint({
      method: 'POST',
      path: '/knowledge/nuggets/import',
      operationId: 'importNuggets',
      summary: 'Import a knowledge base',
      description:
        'Reads a JSON array of nuggets, or CSV with the header `claim,source_url,category,confidence`, as it arrives, and ' +
        'stores its rows. A row whose claim and source the knowledge base has updates that nugget or changes nothing, so ' +
        'the same file can be sent again. A row that is refused does not stop the others, unless `strict` is true: then ' +
        'all rows are stored or none. At most 1 GiB, and 64 KiB a row. `GET /knowledge/imports` shows meanwhile how far it is.',
      tag: 'Knowledge',
      permission: 'knowledge:write',
      rateLimit: 'general',
      query: z.strictObject({
        strict: z
          .enum(['true', 'false'], TRUE_OR_FALSE)
          .default('false')
          .describe('Whether one bad row refuses the whole file.'),
      }),
      body: stream({
        types: ['application/json', 'text/csv'],
        limit: MAX_IMPORT_BYTES,
        // Rows are stored as they arrive.
        isKept: false,
        schema: z.array(newNugget).meta({ id: 'NewNuggets' }),
      }),
      responses: {
        200: { description: 'No nugget was created', schema: dataObject(importResult) },
        201: { description: 'At least one nugget was created', schema: dataObject(importResult) },
      },
      async handler({ context, body, headers, query: { strict }, reply }) {
        const type = String(headers['content-type']).toLowerCase();
        const format = type.startsWith('text/csv') ? 'csv' : 'json';
        const options = { format, strict: strict === 'true' } as const;
        const { errors, ...counts } = await imports.importFile(context, body, options);
        const data = { ...counts, errors: [...errors] };
        return counts.created > 0 ? reply(201, { data }) : reply(200, { data });
      },
    }),
  ];
}
