import type { Steps } from '@probity/pipeline/messages';
import { isStepDue } from '@probity/pipeline/messages';
import { z } from 'zod';
import type { Side } from './slots.ts';
import { messageSlots, valueSlots } from './slots.ts';
import type { DoorProtocol } from './types.ts';

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
      .describe('The messages of the request; texts that only they have are scanned as well.'),
    tools: z
      .array(z.unknown())
      .nullish()
      .describe('The tools that the model is offered; their names and descriptions are scanned.'),
    tool_calls: z
      .array(z.unknown())
      .nullish()
      .describe('Calls of tools in a response; their names and arguments are scanned.'),
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
  *read(body) {
    const { litellm_call_id: call, litellm_trace_id: trace } = body;
    const metadata = {
      ...(call ? { litellm_call_id: call } : {}),
      ...(trace ? { litellm_trace_id: trace } : {}),
    };
    const own = textMessages(body);
    const further = yield* furtherMessages(body);
    return {
      scans: [{ messages: [...own, ...further], metadata }],
      // LiteLLM takes back texts alone.
      canReplace: (masked) =>
        further.every((message, index) => message === masked[own.length + index]),
      write([outcome]) {
        const { blocked, masked } = outcome ?? {};
        if (blocked) return { action: 'BLOCKED', blocked_reason: blocked };
        if (!masked) return { action: 'NONE' };
        return { action: 'GUARDRAIL_INTERVENED', texts: toTexts(body, masked) };
      },
    };
  },
};

function sideOf({ input_type: type }: Request): Side {
  return type === 'response' ? 'assistant' : 'user';
}

/** The texts as the parts of one message, across whose borders values are found as well. */
function textMessages(body: Request): object[] {
  const texts = body.texts ?? [];
  if (texts.every((text) => text === '')) return [];
  return [{ role: sideOf(body), content: texts.map((text) => ({ type: 'text', text })) }];
}

function toTexts({ texts }: Request, [message]: readonly object[]): string[] {
  const { content } = message as { readonly content: ReadonlyArray<{ readonly text: string }> };
  return (texts ?? []).map((text, index) => content[index]?.text ?? text);
}

/** The content outside of `texts`: names, results of tools, documents, calls. */
function* furtherMessages(body: Request): Steps<object[]> {
  const { texts, structured_messages: messages, tools, tool_calls: calls } = body;
  const left = yield* withoutTexts(messages ?? [], texts ?? []);
  const called = calls?.length
    ? yield* messageSlots(sideOf(body), [{ role: 'assistant', tool_calls: calls }])
    : [];
  return [
    ...(yield* messageSlots('user', left as unknown[])),
    ...(yield* valueSlots(sideOf(body), tools ?? [], ['tools'])),
    ...called,
  ].map(({ message }) => message);
}

/** The messages without the given texts, each of them once. */
function* withoutTexts(value: unknown, texts: readonly string[]): Steps<unknown> {
  const left = new Map<string, number>();
  for (const text of texts) left.set(text, (left.get(text) ?? 0) + 1);
  const without = function* (each: unknown): Steps<unknown> {
    if (isStepDue()) yield;
    if (typeof each === 'string') {
      const count = left.get(each) ?? 0;
      if (count > 0) left.set(each, count - 1);
      return count > 0 ? '' : each;
    }
    if (typeof each !== 'object' || each === null) return each;
    const entries: [string, unknown][] = [];
    for (const [name, own] of Object.entries(each)) entries.push([name, yield* without(own)]);
    return Array.isArray(each) ? entries.map(([, own]) => own) : Object.fromEntries(entries);
  };
  return yield* without(value);
}
