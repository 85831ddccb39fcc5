import { isMembers } from '../messages/message-place.ts';
import type { CheckAnswer, Endpoint, Members } from './endpoint.ts';
import { checkMessage } from './endpoint.ts';
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
      // Servers leave the message of a filtered answer out.
      if (isMembers(choice) && (choice.message ?? null) === null) {
        choices.push((choice.logprobs ?? null) === null ? choice : { ...choice, logprobs: null });
        continue;
      }
      const message = await checkChatMessage(check, choice?.message as Members);
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

const WORD = /^[A-Za-z_]{0,32}$/;

/** Checks a message of an answer: it is the model's, whether its role is missing or another word, such as `model`. */
async function checkChatMessage(check: CheckAnswer, message: Members): Promise<Members> {
  if (!isMembers(message)) return checkMessage(check, message);
  const role = message.role ?? '';
  const isOther = role !== 'assistant' && typeof role === 'string' && WORD.test(role);
  if (!isOther) return checkMessage(check, message);
  const named = { ...message, role: 'assistant' };
  const checked = await checkMessage(check, named);
  if (checked === named) return message;
  const { role: _, ...others } = checked;
  return 'role' in message ? { ...others, role: message.role } : others;
}

/** Responses of OpenAI. */
export const RESPONSES: Endpoint = {
  messageMembers: ['instructions', 'input'],
  messagesOf: ({ instructions, input }) => [
    ...itemsOf(instructions, 'system'),
    // A prompt that the provider keeps needs no input.
    ...itemsOf(input ?? '', 'user'),
  ],
  withMessages(body, messages) {
    const rest = [...messages];
    return {
      ...body,
      ...('instructions' in body ? { instructions: fromItems(body.instructions, rest) } : {}),
      ...('input' in body ? { input: fromItems(body.input, rest) } : {}),
    };
  },
  async checkAnswer(answer, check, isAsked) {
    const rest = await createUnreadCheck(check, isAsked)(answer, RESPONSE_SHAPE);
    const output = listOf(rest, 'output');
    if (output === undefined) return rest;
    const checked = await check(output.map(itemWithoutForeignOdds));
    return { ...rest, output: checked.map(itemWithoutForeignOdds) };
  },
  createEvents: createResponseEvents,
};

/** A text is one message, a list its items; every other value becomes a message, whose content is refused. */
function itemsOf(given: unknown, role: string): readonly object[] {
  if (Array.isArray(given)) return given as object[];
  return (given ?? null) === null ? [] : [{ role, content: given }];
}

/** Puts checked messages back into the form of `given`, and takes them from the list. */
function fromItems(given: unknown, messages: object[]): unknown {
  const items = messages.splice(0, itemsOf(given, '').length);
  if (Array.isArray(given)) return items;
  return items.length === 0 ? given : (items[0] as { readonly content: unknown }).content;
}
