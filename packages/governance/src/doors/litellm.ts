import { z } from 'zod';
import { messagesTexts, toolTexts } from './chat-texts.ts';
import type { DoorProtocol, DoorText } from './types.ts';

const texts = z.array(z.string()).nullish();

/** The request of LiteLLM's Generic Guardrail API. Members that are not listed are accepted and ignored. */
export const litellmRequest = z
  .looseObject({
    input_type: z
      .enum(['request', 'response'], 'must be request or response')
      .describe('Whether the texts are what the model is asked, or what it has answered.'),
    texts: texts.describe('The texts of the request or of the response, in order.'),
    structured_messages: z
      .array(z.unknown())
      .nullish()
      .describe(
        'The messages of the request, from which the roles of the texts are known; what is only here is scanned as well.',
      ),
    tools: z
      .array(z.unknown())
      .nullish()
      .describe('The tools that the model is offered; their names and descriptions are scanned.'),
    tool_calls: z
      .array(
        z.looseObject({ function: z.looseObject({ arguments: z.string().nullish() }).nullish() }),
      )
      .nullish()
      .describe('Calls of tools in a response; their arguments are scanned.'),
    litellm_call_id: z.string().max(1_000).nullish(),
    litellm_trace_id: z.string().max(1_000).nullish(),
  })
  .meta({ id: 'LitellmGuardrailRequest' });

/** The answer of a guardrail to LiteLLM. */
export const litellmAnswer = z
  .strictObject({
    action: z.enum(['BLOCKED', 'NONE', 'GUARDRAIL_INTERVENED']),
    blocked_reason: z.string().optional().describe('Present where the action is `BLOCKED`.'),
    texts: z
      .array(z.string())
      .optional()
      .describe(
        'All texts in order, with values replaced; present where the action is `GUARDRAIL_INTERVENED`.',
      ),
  })
  .meta({ id: 'LitellmGuardrailAnswer' });

type Request = z.infer<typeof litellmRequest>;

/**
 * LiteLLM's Generic Guardrail API: https://docs.litellm.ai/docs/adding_provider/generic_guardrail_api, as of 2026-10-08.
 */
export const litellm: DoorProtocol<Request, z.infer<typeof litellmAnswer>> = {
  name: 'litellm',
  read(body) {
    const { litellm_call_id: call, litellm_trace_id: trace } = body;
    const metadata = {
      ...(call ? { litellm_call_id: call } : {}),
      ...(trace ? { litellm_trace_id: trace } : {}),
    };
    const texts = [...textsOf(body), ...furtherTexts(body), ...argumentsOf(body)];
    return [{ texts, metadata }];
  },
  write(body, [outcome]) {
    const { blocked, masked } = outcome ?? {};
    if (blocked) return { action: 'BLOCKED', blocked_reason: blocked };
    if (!masked) return { action: 'NONE' };
    return { action: 'GUARDRAIL_INTERVENED', texts: masked.slice(0, body.texts?.length ?? 0) };
  },
};

function textsOf({ input_type: type, texts, structured_messages: messages }: Request): DoorText[] {
  const given = texts ?? [];
  if (type === 'response') return given.map((text) => ({ use: 'response', text }));
  // The roles are known only where the messages have the texts in their order; they may have more, such as those of calls.
  const placed = messagesTexts(messages ?? []);
  let next = 0;
  const uses = given.map((text) => {
    while (next < placed.length && placed[next]?.text !== text) next += 1;
    const use = placed[next]?.use;
    next += 1;
    return use;
  });
  const isKnown = uses.every((use) => use !== undefined);
  return given.map((text, index) => ({ use: (isKnown && uses[index]) || 'prompt', text }));
}

/**
 * What a model reads of messages and tools that is not among the texts, such as names, results of tools and documents.
 * LiteLLM takes back texts alone.
 */
function furtherTexts({ texts, structured_messages: messages, tools }: Request): DoorText[] {
  const given = new Map<string, number>();
  for (const text of texts ?? []) given.set(text, (given.get(text) ?? 0) + 1);
  const left = messagesTexts(messages ?? []).filter(({ text }) => {
    const count = given.get(text) ?? 0;
    given.set(text, count - 1);
    return count <= 0;
  });
  return [...left, ...toolTexts(tools ?? [])].map(({ use, text }) => ({
    use,
    text,
    isFixed: true,
  }));
}

/** LiteLLM takes back texts alone. */
function argumentsOf({ input_type: type, tool_calls: calls }: Request): DoorText[] {
  const use = type === 'response' ? 'response' : 'prompt';
  return (calls ?? []).flatMap(({ function: called }) =>
    called?.arguments ? [{ use, text: called.arguments, isFixed: true }] : [],
  );
}
