import { z } from 'zod';
import type { JsonPath, Slot } from './slots.ts';
import { requestSlots, responseSlots, valueSlots, withMessages } from './slots.ts';
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
    const slots = [...jsonSlots(body), ...textSlots(body)];
    return [{ messages: slots.map(({ message }) => message), metadata }];
  },
  canReplace: (body) => !isStreamed(body),
  likeOf: (body) => ({ transformedData: body }),
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
function isStreamed(body: Request): boolean {
  return !isBefore(body) && jsonSlots(body).length === 0;
}

function sideOf(body: Request) {
  return (isBefore(body) ? body.request : body.response) ?? {};
}

function jsonSlots(body: Request): Slot[] {
  const { json } = sideOf(body);
  return isBefore(body) ? requestSlots(json) : responseSlots(json);
}

/** The text of the last message, where it is not a text of the body anyway. */
function textSlots(body: Request): Slot[] {
  const { json, text } = sideOf(body);
  if (!text || pathOf(json, text) !== undefined) return [];
  return valueSlots(isBefore(body) ? 'user' : 'assistant', text, ['text']);
}

function transform(body: Request, masked: readonly object[]) {
  const name = isBefore(body) ? 'request' : 'response';
  const { json, text } = sideOf(body);
  const slots = [...jsonSlots(body), ...textSlots(body)];
  const inBody = slots.map((slot) => ({ ...slot, path: ['json', ...slot.path] }));
  const [textSlot] = textSlots(body);
  const own = textSlot?.back(
    (masked.at(-1) ?? textSlot.message) as Readonly<Record<string, unknown>>,
  );
  const changed = withMessages({ json }, inBody.slice(0, jsonSlots(body).length), masked).json;
  const path = text ? pathOf(json, text) : undefined;
  const shown = own ? own : path && valueAt(changed, path);
  return { [name]: { json: changed, text: typeof shown === 'string' ? shown : '' } };
}

/** Where a text is in a JSON value, the last place of several. */
function pathOf(json: unknown, text: string): JsonPath | undefined {
  if (json === text) return [];
  if (typeof json !== 'object' || json === null) return undefined;
  for (const [name, value] of Object.entries(json).reverse()) {
    const found = pathOf(value, text);
    if (found) return [name, ...found];
  }
  return undefined;
}

function valueAt(json: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], json);
}
