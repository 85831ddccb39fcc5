import type { Endpoint } from '@probity/core/koa';
import { endpoint, stream } from '@probity/core/koa';
import { z } from 'zod';
import type { EvidenceImports } from './imports.ts';
import { evaltoolImport, readImport } from './input.ts';

/** The largest body of an import in bytes (specification, "Limits"). */
const MAX_IMPORT_BYTES = 10_485_760;

const importResult = z
  .strictObject({
    totalResultsProcessed: z.int().min(1),
    evidenceCreated: z
      .int()
      .min(0)
      .describe('New records: one for each provider, one for each failing result.'),
    evidenceSkipped: z.int().min(0).describe('Records that an earlier import had created.'),
    obligationLinksCreated: z.int().min(0).describe('Links of the new records to obligations.'),
    evidenceIds: z.array(z.uuid()).describe('Ids of the new records.'),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'EvidenceImportResult' });

/** Declares the import of evaluations (specification, "Evidence import"). */
export function evidenceImportEndpoints(imports: EvidenceImports): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/compliance/evidence/import/evaltool',
      operationId: 'importEvaltool',
      summary: 'Import the results of an evaluation',
      description:
        'Creates one evidence record for each provider of an evaluation and one for each failing result, linked to the ' +
        'obligations that they support. The body may also be the output file itself, as the tool has written it. Importing the same evaluation again creates nothing. No prompt, output, variable ' +
        'or rubric is stored. At most 500 results and 10 MB.',
      tag: 'Evidence',
      permission: 'evidence:write',
      plan: 'professional',
      rateLimit: 'evidence',
      body: stream({
        types: ['application/json'],
        limit: MAX_IMPORT_BYTES,
        schema: evaltoolImport,
        read: readImport,
      }),
      responses: {
        200: { description: 'All records existed before', schema: importResult },
        201: { description: 'At least one record was created', schema: importResult },
      },
      errors: ['not_found'],
      async handler({ context, body, reply }) {
        const result = await imports.importEvaluation(context, body);
        const content = {
          ...result,
          evidenceIds: [...result.evidenceIds],
          warnings: [...result.warnings],
        };
        return result.evidenceCreated > 0 ? reply(201, content) : reply(200, content);
      },
    }),
  ];
}
