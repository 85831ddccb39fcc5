import type { CallContext } from '@probity/core';
import { ProbityError, toPageInfo, validationError } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, instant, oneOf, pageQuery } from '@probity/core/koa';
import { z } from 'zod';
import type { Batches } from '../batches/batches.ts';
import { scanBatch, scanBatchDetail, toBatchWire, toResultWire } from '../batches/schemas.ts';
import { MAX_BATCH_ITEMS } from '../batches/types.ts';
import type { Scans } from './scans.ts';
import { scanRecord, VERDICTS } from './schemas.ts';
import type { Scan } from './types.ts';

const scanQuery = pageQuery.extend({
  kind: oneOf(['single', 'batch'])
    .default('single')
    .describe(
      '`single`: scans, those of batches included. `batch`: batches, of which only `key`, `since` and `until` select some.',
    ),
  verdict: oneOf(VERDICTS).optional(),
  stage: z.string().max(100).optional().describe('Scans with a finding of this stage.'),
  type: z.string().max(100).optional().describe('Scans with a finding of this type.'),
  policy: z
    .string()
    .max(100)
    .optional()
    .describe('Scans to which the policy with this id was applied.'),
  key: z.string().max(100).optional().describe('Scans of the API key with this id.'),
  aiSystemId: z
    .uuid('must be the UUID of an AI system')
    .meta({ examples: ['01940000-0000-7000-8000-000000000000'] })
    .optional()
    .describe('Scans about this AI system.'),
  since: instant.optional().describe('Scans made at this time or later.'),
  until: instant.optional().describe('Scans made before this time.'),
});

/** A single scan or a batch, as lists show them. */
const listedScan = z.discriminatedUnion('kind', [scanRecord, scanBatch]).meta({ id: 'ListedScan' });

/** A single scan, or a batch with its results. */
const scanOrBatch = z
  .discriminatedUnion('kind', [scanRecord, scanBatchDetail])
  .meta({ id: 'ScanOrBatch' });

const shared = {
  method: 'GET',
  tag: 'Governance',
  permission: 'scans:read',
  rateLimit: 'general',
} as const;

/** Declares the endpoints of stored scans, single ones and batches. */
export function scanRecordEndpoints(scans: Scans, batches: Batches): Endpoint[] {
  return [listEndpoint(scans, batches), getEndpoint(scans, batches)];
}

function listEndpoint(scans: Scans, batches: Batches): Endpoint {
  return endpoint({
    ...shared,
    path: '/governance/scans',
    operationId: 'listScans',
    summary: 'List scans',
    description:
      'Lists the records of scans, newest first: all, or those that match every filter. Records hold findings and hashes, ' +
      'no prompts and responses. With `kind=batch` it lists batches.',
    query: scanQuery,
    responses: {
      200: {
        description: 'A page of scans',
        schema: dataList(listedScan),
      },
    },
    async handler({ context, query, reply }) {
      const { kind, limit, offset, policy, key, ...others } = query;
      const page = { limit, offset };
      if (kind === 'batch') {
        requireBatchFilter(query);
        const { since, until } = others;
        const { items, total } = await batches.list(context, { keyId: key, since, until }, page);
        return reply(200, { data: items.map(toBatchWire), ...toPageInfo(query, total) });
      }
      const filter = { ...others, policyId: policy, keyId: key };
      const { items, total } = await scans.list(context, filter, page);
      return reply(200, { data: items.map(toScanRecordWire), ...toPageInfo(query, total) });
    },
  });
}

const SINGLE_FILTERS = ['verdict', 'stage', 'type', 'policy', 'aiSystemId'] as const;

/** @throws ProbityError `validation_failed` that names every filter that batches do not have */
function requireBatchFilter(query: z.infer<typeof scanQuery>): void {
  const given = SINGLE_FILTERS.filter((field) => query[field] !== undefined);
  const message = 'selects single scans only; it cannot be combined with kind=batch';
  if (given.length > 0) throw validationError(...given.map((field) => ({ field, message })));
}

function getEndpoint(scans: Scans, batches: Batches): Endpoint {
  return endpoint({
    ...shared,
    path: '/governance/scans/{scan_id}',
    operationId: 'getScan',
    summary: 'Get a scan',
    description:
      'Returns the record of one scan, while it is kept, or a batch with its progress and the results of its items.',
    params: z.strictObject({ scan_id: z.string() }),
    responses: {
      200: {
        description: 'The scan',
        schema: dataObject(scanOrBatch),
      },
    },
    async handler({ context, params: { scan_id: id }, reply }) {
      const scan = await findScan(scans, context, id);
      const data = scan ? toScanRecordWire(scan) : await readBatch(batches, context, id);
      return reply(200, { data });
    },
  });
}

async function findScan(scans: Scans, context: CallContext, id: string): Promise<Scan | null> {
  try {
    return await scans.get(context, id);
  } catch (error) {
    if (error instanceof ProbityError && error.kind === 'not_found') return null;
    throw error;
  }
}

/** Items first: what they count is never ahead of the counts. */
async function readBatch(
  batches: Batches,
  context: CallContext,
  id: string,
): Promise<z.infer<typeof scanBatchDetail>> {
  const page = { limit: MAX_BATCH_ITEMS, offset: 0 };
  const { items } = await batches.items(context, id, {}, page);
  const batch = await batches.get(context, id);
  return { ...toBatchWire(batch), results: items.map(toResultWire) };
}

/** The record of a scan on the wire. */
export function toScanRecordWire(scan: Scan): z.infer<typeof scanRecord> {
  const { violation } = scan;
  return {
    id: scan.id,
    kind: 'single',
    verdict: scan.verdict,
    scores: scan.scores,
    findings: [...scan.findings],
    findingCount: scan.findingCount,
    policies: [...scan.policies],
    monitored: [...scan.monitored],
    violation: violation && { ...violation },
    unfinished: (scan.facts?.unfinished ?? []).map(([stage]) => stage),
    metadata: scan.metadata,
    aiSystemId: scan.aiSystemId,
    memberId: scan.memberId,
    keyId: scan.keyId,
    promptHash: scan.promptHash,
    responseHash: scan.responseHash,
    contextHash: scan.contextHash,
    messagesHash: scan.messagesHash,
    durationMs: scan.durationMs,
    createdAt: scan.createdAt.toISOString(),
  };
}
