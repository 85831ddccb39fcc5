import type Anthropic from '@anthropic-ai/sdk';
import { guardAnthropic } from '@probity/pipeline/anthropic';
import type { Assistant } from './guard.ts';
import { guard, INSTRUCTIONS, refuse } from './guard.ts';

/** An assistant with the Anthropic SDK: `createAssistant(new Anthropic(), 'claude-sonnet-5-5')`. */
export function createAssistant(anthropic: Anthropic, model: string): Assistant {
  const client = guardAnthropic(anthropic, { guard });
  const requestOf = (question: string) => ({
    model,
    max_tokens: 1_024,
    system: INSTRUCTIONS,
    messages: [{ role: 'user' as const, content: question }],
  });
  return {
    async answer(question) {
      try {
        const { content } = await client.messages.create(requestOf(question));
        return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      } catch (error) {
        return refuse(error);
      }
    },
    async *stream(question) {
      try {
        const request = { ...requestOf(question), stream: true as const };
        for await (const event of await client.messages.create(request)) {
          if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') {
            yield event.delta.text;
          }
        }
      } catch (error) {
        yield refuse(error);
      }
    },
  };
}
