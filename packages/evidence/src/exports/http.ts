import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint, oneOf } from '@probity/core/koa';
import { z } from 'zod';
import { evidenceFilterQuery, toFilter } from '../records/query.ts';
import { evidenceSchema, toWire } from '../records/schemas.ts';
import type { Evidence } from '../records/types.ts';
import { CSV_HEADER, toCsvLine } from './csv.ts';
import { toJsonLine } from './json-lines.ts';
import type { EvidenceExports } from './types.ts';

const FORMATS = ['json', 'jsonl', 'csv', 'oscal'] as const;

const MEDIA_TYPES = {
  json: 'application/json',
  jsonl: 'application/jsonl',
  csv: 'text/csv',
  oscal: 'application/oscal+json',
} as const satisfies Readonly<Record<(typeof FORMATS)[number], string>>;

const query = evidenceFilterQuery
  .extend({
    format: oneOf(FORMATS)
      .default('json')
      .describe(
        '`json`: an object with the records as `data`; `csv`: RFC 4180, with a header; `jsonl`: the whole chain, one node ' +
          'in a line, as `probity evidence verify FILE` reads it; `oscal`: assessment results of OSCAL 1.2.2, whose controls ' +
          'are those of `GET /compliance/catalog`.',
      ),
  })
  .superRefine(({ format, ...filters }, { addIssue }) => {
    if (format !== 'jsonl') return;
    for (const [name, value] of Object.entries(filters)) {
      if (value === undefined) continue;
      const message = 'cannot be combined with format=jsonl, which has the whole chain';
      addIssue({ code: 'custom', path: [name], message });
    }
  });

/** Declares the endpoint that exports evidence (contract, section 6). */
export function evidenceExportEndpoints(exports: EvidenceExports): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/compliance/export',
      tag: 'Evidence',
      operationId: 'exportEvidence',
      summary: 'Export evidence',
      description:
        'Streams the evidence records of the organization, all or those that match every filter, in the order of the ' +
        'chain. An answer that breaks off is incomplete: request it again.',
      permission: 'evidence:read',
      rateLimit: 'general',
      query,
      responses: {
        200: {
          description: 'The export as a file',
          mediaType: Object.values(MEDIA_TYPES),
          streamed: dataObject(z.array(evidenceSchema)),
        },
      },
      async handler({ context, query: { format, ...filters }, reply }) {
        const extension = format === 'oscal' ? 'oscal.json' : format;
        const extras = {
          headers: {
            'Content-Disposition': `attachment; filename="evidence.${extension}"`,
            'Cache-Control': 'no-store',
          },
        };
        if (format === 'jsonl') {
          const lines = textOf(await exports.chain(context), toJsonLine);
          return reply.stream(MEDIA_TYPES.jsonl, lines, extras);
        }
        if (format === 'oscal') {
          const parts = await exports.assessmentResults(context, toFilter(filters));
          return reply.stream(MEDIA_TYPES.oscal, parts, extras);
        }
        const records = await exports.records(context, toFilter(filters));
        if (format === 'json') return reply.stream(MEDIA_TYPES.json, jsonOf(records), extras);
        const type = `${MEDIA_TYPES.csv}; charset=utf-8; header=present` as const;
        return reply.stream(type, csvOf(records), extras);
      },
    }),
  ];
}

/** One text for each slice: a slice is not read before the one before it was sent. */
async function* textOf<Item>(
  slices: AsyncIterable<readonly Item[]>,
  toText: (item: Item) => string,
): AsyncGenerator<string> {
  for await (const slice of slices) {
    if (slice.length > 0) yield slice.map(toText).join('');
  }
}

async function* csvOf(slices: AsyncIterable<readonly Evidence[]>): AsyncGenerator<string> {
  yield CSV_HEADER;
  yield* textOf(slices, toCsvLine);
}

async function* jsonOf(slices: AsyncIterable<readonly Evidence[]>): AsyncGenerator<string> {
  let separator = '{"data":[';
  const toText = (record: Evidence) => {
    const text = `${separator}${JSON.stringify(toWire(record))}`;
    separator = ',';
    return text;
  };
  yield* textOf(slices, toText);
  yield separator === ',' ? ']}' : `${separator}]}`;
}
