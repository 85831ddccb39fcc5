import { z } from 'zod';
import type { PlacedText } from './chat-texts.ts';
import { requestTexts, responseTexts, withTexts } from './chat-texts.ts';
import type { DoorProtocol } from './types.ts';

const side = z.looseObject({ json: z.unknown().optional(), text: z.string().nullish() }).nullish();

/** The request of Portkey's webhook guardrail. */
export const portkeyRequest = z
  .looseObject({
    eventType: z.enum(
      ['beforeRequestHook', 'afterRequestHook'],
      'must be beforeRequestHook or afterRequestHook',
    ),
    request: side.describe('The request to the model: its body, and the text of its last message.'),
    response: side.describe('The response of the model, after the request.'),
    requestType: z.string().max(100).nullish(),
    provider: z.string().max(100).nullish(),
  })
  .meta({ id: 'PortkeyGuardrailRequest' });

const transformed = z.strictObject({ json: z.unknown(), text: z.string() }).optional();

/** The answer of a guardrail to Portkey. */
export const portkeyAnswer = z
  .strictObject({
    verdict: z.boolean().describe('False where a policy blocks.'),
    data: z.strictObject({
      reason: z.string().nullable(),
      scanId: z.string().nullable(),
    }),
    transformedData: z
      .strictObject({ request: transformed, response: transformed })
      .optional()
      .describe(
        'The whole request or response with values replaced; present where a policy redacts.',
      ),
  })
  .meta({ id: 'PortkeyGuardrailAnswer' });

type Request = z.infer<typeof portkeyRequest>;

/**
 * Portkey's webhook guardrail: https://portkey.ai/docs/integrations/guardrails/bring-your-own-guardrails, as of 2026-09-30.
 */
export const portkey: DoorProtocol<Request, z.infer<typeof portkeyAnswer>> = {
  name: 'portkey',
  read(body) {
    const { requestType, provider } = body;
    const metadata = { ...(provider ? { provider } : {}), ...(requestType ? { requestType } : {}) };
    return [{ texts: textsOf(body), metadata }];
  },
  write(body, [outcome]) {
    const { blocked = null, masked = null, scan = null } = outcome ?? {};
    const answer = {
      verdict: blocked === null,
      data: { reason: blocked, scanId: scan?.id ?? null },
    };
    return masked ? { ...answer, transformedData: transform(body, masked) } : answer;
  },
};

function isBefore({ eventType }: Request): boolean {
  return eventType === 'beforeRequestHook';
}

/** Of a stream there is the text alone, which cannot be replaced: it was sent already. */
function textsOf(body: Request): PlacedText[] {
  const { json, text } = (isBefore(body) ? body.request : body.response) ?? {};
  const texts = isBefore(body) ? requestTexts(json) : responseTexts(json);
  if (texts.length > 0 || !text) return texts;
  return [{ use: isBefore(body) ? 'prompt' : 'response', text, path: [], isFixed: true }];
}

function transform(body: Request, masked: readonly string[]) {
  const name = isBefore(body) ? 'request' : 'response';
  const places = textsOf(body);
  const { json, text } = body[name] ?? {};
  // The last message, of which Portkey keeps the text beside the body.
  const last = places.findLastIndex((place) => place.text === text);
  const changed = withTexts(json, places, masked);
  return { [name]: { json: changed, text: masked[last] ?? text ?? '' } };
}
