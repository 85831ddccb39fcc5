import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { guardChatModel } from '@probity/pipeline/langchain';
import type { Assistant } from './guard.ts';
import { guard, INSTRUCTIONS, refuse } from './guard.ts';

/** An assistant with LangChain.js: `createAssistant(new ChatOpenAI({ model: 'gpt-5' }))`, or with any chat model. */
export function createAssistant(model: BaseChatModel): Assistant {
  const chain = ChatPromptTemplate.fromMessages([
    ['system', INSTRUCTIONS],
    ['user', '{question}'],
  ])
    .pipe(guardChatModel(model, { guard }))
    .pipe(new StringOutputParser());
  return {
    async answer(question) {
      try {
        return await chain.invoke({ question });
      } catch (error) {
        return refuse(error);
      }
    },
    async *stream(question) {
      try {
        yield* await chain.stream({ question });
      } catch (error) {
        yield refuse(error);
      }
    },
  };
}
