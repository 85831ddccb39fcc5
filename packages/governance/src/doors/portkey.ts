import type { Steps } from '@probity/pipeline/messages';
import { isStepDue, runInTurns } from '@probity/pipeline/messages';
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
  *read(body) {
    const { requestType, provider } = body;
    const metadata = { ...(provider ? { provider } : {}), ...(requestType ? { requestType } : {}) };
    const read = yield* readSide(body);
    const slots = [...read.slots, ...read.textSlots];
    return {
      scans: [{ messages: slots.map(({ message }) => message), metadata }],
      // Of a stream there is the text alone, which cannot be replaced: it was sent already.
      canReplace: () => isBefore(body) || read.slots.length > 0,
      async write([outcome]) {
        const { blocked = null, masked = null, scan = null } = outcome ?? {};
        const answer = {
          verdict: blocked === null,
          data: { reason: blocked, scanId: scan?.id ?? null },
        };
        if (!masked) return answer;
        const name = isBefore(body) ? 'request' : 'response';
        return { ...answer, transformedData: { [name]: await transform(read, masked) } };
      },
    };
  },
  likeOf: (body) => ({ transformedData: body }),
};

function isBefore({ eventType }: Request): boolean {
  return eventType === 'beforeRequestHook';
}

/** The side that a request is about, as it was read. */
interface ReadSide {
  readonly json: unknown;
  readonly slots: readonly Slot[];
  /** The text of the last message, where the body does not have it. */
  readonly textSlots: readonly Slot[];
  /** Where the text is in the body. */
  readonly path: JsonPath | undefined;
}

function* readSide(body: Request): Steps<ReadSide> {
  const { json, text } = (isBefore(body) ? body.request : body.response) ?? {};
  const slots = yield* isBefore(body) ? requestSlots(json) : responseSlots(json);
  const path = text ? yield* pathOf(json, text) : undefined;
  const isOwn = Boolean(text) && path === undefined;
  const textSlots = isOwn
    ? yield* valueSlots(isBefore(body) ? 'user' : 'assistant', text, ['text'])
    : [];
  return { json, slots, textSlots, path };
}

async function transform({ json, slots, textSlots, path }: ReadSide, masked: readonly object[]) {
  const changed = await runInTurns(withMessages(json, slots, masked));
  const [textSlot] = textSlots;
  const own = textSlot?.back(
    (masked[slots.length] ?? textSlot.message) as Readonly<Record<string, unknown>>,
  );
  const shown = own ?? (path && valueAt(changed, path));
  return { json: changed, text: typeof shown === 'string' ? shown : '' };
}

/** Where a text is in a JSON value, the last place of several. */
function* pathOf(json: unknown, text: string): Steps<JsonPath | undefined> {
  if (json === text) return [];
  if (typeof json !== 'object' || json === null) return undefined;
  const names = Object.keys(json);
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    if (isStepDue()) yield;
    const found = yield* pathOf((json as Readonly<Record<string, unknown>>)[name], text);
    if (found) return [name, ...found];
  }
  return undefined;
}

function valueAt(json: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], json);
}
