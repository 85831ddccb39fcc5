import type { Endpoint } from '@probity/core/koa';
import { endpoint, oneOf } from '@probity/core/koa';
import { z } from 'zod';
import { FRAMEWORKS } from '../obligations/types.ts';
import { aiSystemQuery } from '../records/input.ts';
import { REPORT_HEADERS, toReportPage } from './page.ts';
import type { CreateReport } from './report.ts';

/** Declares the report for people (contract, section 6). */
export function reportEndpoints(createReport: CreateReport): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/compliance/report',
      tag: 'Evidence',
      operationId: 'getEvidenceReport',
      summary: 'Open the evidence report',
      description:
        'A page to read, print and hand to an auditor: the obligations of a framework and an AI system with their supporting ' +
        'and adverse evidence, the newest 1,000 records, and whether the chain of records is intact. By default all ' +
        'frameworks and AI systems.',
      permission: 'evidence:read',
      rateLimit: 'general',
      query: z.strictObject({
        framework: oneOf(FRAMEWORKS).optional(),
        aiSystemId: aiSystemQuery.optional(),
      }),
      responses: { 200: { description: 'The page', mediaType: 'text/html' } },
      errors: ['not_found'],
      async handler({ context, query, reply }) {
        const page = toReportPage(await createReport(context, query));
        return reply.bytes('text/html; charset=utf-8', Buffer.from(page), {
          headers: REPORT_HEADERS,
        });
      },
    }),
  ];
}
