import { guardMiddleware } from '@probity/pipeline/ai-sdk';
import type { LanguageModelMiddleware } from 'ai';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import type { Assistant } from './guard.ts';
import { guard, INSTRUCTIONS, refuse } from './guard.ts';

/** A model of a provider of the AI SDK. */
type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

/** An assistant with the AI SDK: `createAssistant(openai('gpt-5'))`, or with any other provider. */
export function createAssistant(provided: Model): Assistant {
  const middleware: LanguageModelMiddleware = guardMiddleware({ guard });
  const model = wrapLanguageModel({ model: provided, middleware });
  const requestOf = (prompt: string) => ({ model, system: INSTRUCTIONS, prompt });
  return {
    async answer(question) {
      try {
        return (await generateText(requestOf(question))).text;
      } catch (error) {
        return refuse(error);
      }
    },
    async *stream(question) {
      // Errors are parts of the stream, where `textStream` has none of them.
      const { fullStream } = streamText({ ...requestOf(question), onError: () => {} });
      for await (const part of fullStream) {
        if (part.type === 'text-delta') yield part.text;
        if (part.type === 'error') yield refuse(part.error);
      }
    },
  };
}
