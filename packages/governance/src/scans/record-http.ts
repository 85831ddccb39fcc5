import { toPageInfo } from '@probity/core';
import type { Endpoint } from '@probity/core/koa';
import { dataList, dataObject, endpoint, instant, oneOf, pageQuery } from '@probity/core/koa';
import { z } from 'zod';
import type { Scans } from './scans.ts';
import { scanRecord, VERDICTS } from './schemas.ts';
import type { Scan } from './types.ts';

const scanQuery = pageQuery.extend({
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

const shared = {
  method: 'GET',
  tag: 'Governance',
  permission: 'scans:read',
  rateLimit: 'general',
} as const;

/** Declares the endpoints of stored scans. */
export function scanRecordEndpoints(scans: Scans): Endpoint[] {
  return [
    endpoint({
      ...shared,
      path: '/governance/scans',
      operationId: 'listScans',
      summary: 'List scans',
      description:
        'Lists the records of scans, newest first: all, or those that match every filter. Records hold findings and hashes, ' +
        'no prompts and responses.',
      query: scanQuery,
      responses: { 200: { description: 'A page of scans', schema: dataList(scanRecord) } },
      async handler({ context, query, reply }) {
        const { limit, offset, policy, key, ...others } = query;
        const filter = { ...others, policyId: policy, keyId: key };
        const { items, total } = await scans.list(context, filter, { limit, offset });
        return reply(200, { data: items.map(toWire), ...toPageInfo(query, total) });
      },
    }),
    endpoint({
      ...shared,
      path: '/governance/scans/{scan_id}',
      operationId: 'getScan',
      summary: 'Get a scan',
      description: 'Returns the record of one scan, while it is kept.',
      params: z.strictObject({ scan_id: z.string() }),
      responses: { 200: { description: 'The scan', schema: dataObject(scanRecord) } },
      async handler({ context, params: { scan_id: id }, reply }) {
        return reply(200, { data: toWire(await scans.get(context, id)) });
      },
    }),
  ];
}

function toWire(scan: Scan): z.infer<typeof scanRecord> {
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
