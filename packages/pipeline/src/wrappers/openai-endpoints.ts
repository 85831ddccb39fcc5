import type { Endpoint, Members } from './endpoint.ts';
import { createChatEvents } from './openai-chat-events.ts';
import { createResponseEvents } from './openai-response-events.ts';

/** Chat completions of OpenAI. */
export const CHAT: Endpoint = {
  messageMembers: ['messages'],
  messagesOf: ({ messages }) => messages as readonly object[],
  withMessages: (body, messages) => ({ ...body, messages }),
  async checkAnswer(answer, check) {
    if (!Array.isArray(answer.choices)) return answer;
    const choices: unknown[] = [];
    for (const choice of answer.choices as Members[]) {
      const [message] = await check([choice.message as object]);
      // Log odds name the tokens of the text that is redacted.
      const isSame = message === choice.message;
      choices.push(isSame ? choice : { ...choice, message, logprobs: null });
    }
    return { ...answer, choices };
  },
  createEvents: createChatEvents,
};

/** Responses of OpenAI. */
export const RESPONSES: Endpoint = {
  messageMembers: ['instructions', 'input'],
  messagesOf: ({ instructions, input = '' }) => [
    ...(typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []),
    ...(Array.isArray(input) ? (input as object[]) : [{ role: 'user', content: input }]),
  ],
  withMessages(body, messages) {
    const hasSystem = typeof body.instructions === 'string';
    const [system] = messages as { readonly content: unknown }[];
    const rest = hasSystem ? messages.slice(1) : messages;
    const [only] = rest as { readonly content: unknown }[];
    return {
      ...body,
      ...(hasSystem ? { instructions: system?.content } : {}),
      ...('input' in body ? { input: Array.isArray(body.input) ? rest : only?.content } : {}),
    };
  },
  async checkAnswer(answer, check) {
    if (!Array.isArray(answer.output)) return answer;
    return { ...answer, output: await check(answer.output as object[]) };
  },
  createEvents: createResponseEvents,
};
