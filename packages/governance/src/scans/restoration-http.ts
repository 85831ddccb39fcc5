import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { Restorations } from './restoration.ts';

/** Largest body in bytes, as that of a scan. */
const BODY_LIMIT = 10_485_760;

/** Declares the endpoint that restores redacted texts. */
export function restorationEndpoints(restorations: Restorations): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/governance/restore',
      operationId: 'restoreRedacted',
      summary: 'Restore a redacted text',
      description:
        'Puts the values back in place of the tokens that a scan with `redaction: token` made. What is no token of the map ' +
        'stays; without changes in between, the result is the text that was scanned. Stores nothing.',
      tag: 'Governance',
      permission: 'redactions:restore',
      rateLimit: 'general',
      bodyLimit: BODY_LIMIT,
      body: z
        .strictObject({
          text: z.string().describe('A text with tokens, such as the answer of a model.'),
          redactionMap: z
            .string()
            .min(1, 'must not be empty')
            .describe('The `redactionMap` that the scan returned.'),
        })
        .meta({ id: 'RestoreRequest' }),
      responses: {
        200: {
          description: 'The text with the values',
          schema: dataObject(z.strictObject({ text: z.string() }).meta({ id: 'RestoredText' })),
        },
      },
      async handler({ context, body, reply }) {
        return reply(200, { data: { text: await restorations.restore(context, body) } });
      },
    }),
  ];
}
