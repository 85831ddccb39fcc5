import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint, oneOf } from '@probity/core/koa';
import { z } from 'zod';
import { evidenceFilterQuery, toFilter } from '../records/query.ts';
import { evidenceSchema, toWire } from '../records/schemas.ts';
import type { Evidence } from '../records/types.ts';
import type { CsvRows } from './csv.ts';
import { CSV_ROWS, csvHeader, toCsvLines } from './csv.ts';
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
        '`json`: an object with the records as `data`; `csv`: RFC 4180, in UTF-8 with a byte order mark and a header; `jsonl`: the whole chain, one node ' +
          'in a line, as `probity evidence verify FILE` reads it; `oscal`: assessment results of OSCAL 1.2.2, whose controls ' +
          'are those of `GET /compliance/catalog`.',
      ),
    findings: oneOf(['evidenced', 'all'])
      .optional()
      .describe(
        'With `format=oscal`: findings on the obligations with evidence (default), or on all obligations.',
      ),
    rows: oneOf(CSV_ROWS)
      .optional()
      .describe(
        'With `format=csv`: a row for each record (default), or for each record and obligation with readable names.',
      ),
  })
  .superRefine(({ format, rows, findings, ...filters }, { addIssue }) => {
    if (findings !== undefined && format !== 'oscal') {
      addIssue({ code: 'custom', path: ['findings'], message: 'goes with format=oscal only' });
    }
    if (rows !== undefined && format !== 'csv') {
      addIssue({ code: 'custom', path: ['rows'], message: 'goes with format=csv only' });
    }
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
      async handler({ context, query: { format, rows = 'records', findings, ...filters }, reply }) {
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
          const parts = await exports.assessmentResults(context, toFilter(filters), {
            hasAllFindings: findings === 'all',
          });
          return reply.stream(MEDIA_TYPES.oscal, parts, extras);
        }
        const records = await exports.records(context, toFilter(filters));
        if (format === 'json') return reply.stream(MEDIA_TYPES.json, jsonOf(records), extras);
        const type = `${MEDIA_TYPES.csv}; charset=utf-8; header=present` as const;
        const names = await exports.aiSystemNames(context);
        return reply.stream(type, csvOf(records, names, rows), extras);
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

async function* csvOf(
  slices: AsyncIterable<readonly Evidence[]>,
  names: ReadonlyMap<string, string>,
  rows: CsvRows,
): AsyncGenerator<string> {
  yield csvHeader(rows);
  yield* textOf(slices, (record) => {
    const aiSystemName = names.get(record.aiSystemId ?? '') ?? null;
    return toCsvLines({ record, aiSystemName }, rows);
  });
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
