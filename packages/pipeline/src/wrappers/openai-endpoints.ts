import type { Endpoint, Members } from './endpoint.ts';
import { itemWithoutForeignOdds, oddsOfMessage } from './log-odds.ts';
import { createChatEvents } from './openai-chat-events.ts';
import { createResponseEvents } from './openai-response-events.ts';
import { CHAT_SHAPE, createUnreadCheck, listOf, RESPONSE_SHAPE } from './unread-members.ts';

/** Chat completions of OpenAI. */
export const CHAT: Endpoint = {
  messageMembers: ['messages'],
  messagesOf: ({ messages }) => messages as readonly object[],
  withMessages: (body, messages) => ({ ...body, messages }),
  async checkAnswer(answer, check) {
    const rest = await createUnreadCheck(check)(answer, CHAT_SHAPE);
    const given = listOf(rest, 'choices');
    if (given === undefined) return rest;
    const choices: unknown[] = [];
    for (const choice of given as Members[]) {
      const [message] = await check([choice?.message as object]);
      // Log odds name the tokens of the text that is redacted.
      const isSame = message === choice.message;
      const odds = isSame ? oddsOfMessage(choice.logprobs, message as Members) : null;
      const isKept = isSame && odds === choice.logprobs;
      choices.push(isKept ? choice : { ...choice, message, logprobs: odds });
    }
    return { ...rest, choices };
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
    const rest = await createUnreadCheck(check)(answer, RESPONSE_SHAPE);
    const output = listOf(rest, 'output');
    if (output === undefined) return rest;
    return { ...rest, output: (await check(output)).map(itemWithoutForeignOdds) };
  },
  createEvents: createResponseEvents,
};
