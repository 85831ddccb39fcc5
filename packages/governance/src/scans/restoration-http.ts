import type { Endpoint } from '@probity/core/koa';
import { dataObject, endpoint } from '@probity/core/koa';
import { z } from 'zod';
import { noteDigits, withDigits } from './number-digits.ts';
import { messages } from './request-schema.ts';
import type { Restorations } from './restoration.ts';

/** Largest body in bytes, as that of a scan. */
const BODY_LIMIT = 10_485_760;

const restoreRequest = z
  .strictObject({
    text: z
      .string()
      .optional()
      .describe(
        'A text with tokens, such as the answer of a model; required unless messages are given.',
      ),
    messages: messages
      .optional()
      .describe('Messages with tokens, also in the arguments of tool calls, in place of a text.'),
    redactionMap: z
      .string()
      .min(1, 'must not be empty')
      .describe('The `redactionMap` that the scan returned.'),
  })
  .superRefine(
    (value, context) => {
      const { text, messages } = Object(value) as { text?: unknown; messages?: unknown };
      const fault = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (text === undefined && messages === undefined) {
        fault('text', 'is required, unless messages are given');
      }
      if (text !== undefined && messages !== undefined) {
        fault('text', 'must not be given together with messages');
      }
    },
    { when: () => true },
  )
  .meta({ id: 'RestoreRequest' });

/** Declares the endpoint that restores redacted texts. */
export function restorationEndpoints(restorations: Restorations): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/governance/restore',
      operationId: 'restoreRedacted',
      summary: 'Restore a redacted text or redacted messages',
      description:
        'Puts the values back in place of the tokens that a scan with `redaction: token` made. What is no token of the map ' +
        'stays; without changes in between, the result is the text that was scanned. Stores nothing.',
      tag: 'Governance',
      permission: 'redactions:restore',
      rateLimit: 'general',
      bodyLimit: BODY_LIMIT,
      body: restoreRequest,
      noteBody: noteDigits,
      responses: {
        200: {
          description: 'The text or the messages with the values',
          schema: dataObject(
            z
              .union([
                z.strictObject({ text: z.string() }).meta({ id: 'RestoredText' }),
                z.strictObject({ messages }).meta({ id: 'RestoredMessages' }),
              ])
              .meta({ id: 'RestoredContent' }),
          ),
        },
      },
      async handler({ context, body, reply }) {
        const { text, redactionMap } = body;
        if (text !== undefined) {
          const restored = await restorations.restore(context, { text, redactionMap });
          return reply(200, { data: { text: restored } });
        }
        const given = (body.messages ?? []) as readonly object[];
        const request = { messages: given, redactionMap };
        const restored = await restorations.restoreMessages(context, request);
        const answer = { data: { messages: [...restored] } };
        return reply(200, answer, await withDigits(answer, restored));
      },
    }),
  ];
}
