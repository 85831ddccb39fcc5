import { guardOpenAI } from '@probity/pipeline/openai';
import type OpenAI from 'openai';
import type { Assistant } from './guard.ts';
import { guard, INSTRUCTIONS, refuse } from './guard.ts';

/** An assistant with the OpenAI SDK: `createAssistant(new OpenAI(), 'gpt-5')`. */
export function createAssistant(openai: OpenAI, model: string): Assistant {
  const client = guardOpenAI(openai, { guard });
  const requestOf = (question: string) => ({
    model,
    messages: [
      { role: 'system' as const, content: INSTRUCTIONS },
      { role: 'user' as const, content: question },
    ],
  });
  return {
    async answer(question) {
      try {
        const { choices } = await client.chat.completions.create(requestOf(question));
        return choices[0]?.message.content ?? '';
      } catch (error) {
        return refuse(error);
      }
    },
    async *stream(question) {
      try {
        const request = { ...requestOf(question), stream: true as const };
        for await (const { choices } of await client.chat.completions.create(request)) {
          yield choices[0]?.delta.content ?? '';
        }
      } catch (error) {
        yield refuse(error);
      }
    },
  };
}
