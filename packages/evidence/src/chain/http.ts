import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { VerifyEvidence } from './verify.ts';

const verificationSchema = z
  .strictObject({
    valid: z.boolean().describe('Whether no fault was found.'),
    nodes: z.int().nonnegative().describe('Nodes of the chain verified before the fault, or all.'),
    records: z.int().nonnegative().describe('Records that were compared with their nodes.'),
    removedThrough: z
      .int()
      .nonnegative()
      .describe('Retention removed the records up to this sequence and kept their nodes.'),
    fault: z
      .strictObject({
        sequence: z.int().positive(),
        reason: z.enum(['changed', 'missing', 'added', 'unindexed', 'unsealed', 'lost']),
      })
      .nullable()
      .describe(
        'The first fault: a record or node that was changed, is missing or was added; `unindexed` when lists do not find it by what it says; `unsealed` when the chain does not ' +
          'end as it was sealed, `lost` when that was so before this node was appended.',
      ),
    sealedFrom: z
      .int()
      .positive()
      .nullable()
      .describe('The first node from which the chain is proven by the encryption key.'),
    end: z
      .strictObject({ sequence: z.int().positive(), hash: z.string() })
      .nullable()
      .describe(
        'The end of the chain: a copy kept elsewhere shows later that the chain was not replaced by an older one.',
      ),
  })
  .meta({ id: 'EvidenceVerification' });

/** Declares the endpoint that verifies the chain (contract, section 6). */
export function chainEndpoints(verify: VerifyEvidence): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/compliance/evidence/verify',
      tag: 'Evidence',
      operationId: 'verifyEvidence',
      summary: 'Verify the evidence of the organization',
      description:
        'Walks the hash chain of all evidence and compares every record with it. A record that was changed, removed, ' +
        'exchanged or added outside the API is found, also when the chain was computed anew.',
      permission: 'evidence:read',
      rateLimit: 'general',
      responses: {
        200: { description: 'The result', schema: dataObject(verificationSchema) },
      },
      async handler({ context, reply }) {
        const verification = await verify(context);
        return reply(200, { data: { valid: verification.fault === null, ...verification } });
      },
    }),
  ];
}
