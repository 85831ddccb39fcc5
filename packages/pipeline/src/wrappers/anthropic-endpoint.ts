import { parseJson, writeJson } from '../messages/number-texts.ts';
import { createMessageEvents } from './anthropic-events.ts';
import type { Endpoint, Members } from './endpoint.ts';
import { withoutForeignOdds } from './log-odds.ts';
import { createUnreadCheck, listOf, MESSAGE_SHAPE } from './unread-members.ts';

/** What a definition of a tool is read as: what is given to the model beside the conversation. */
const DEFINITIONS = 'tool';

/**
 * Anthropic's Messages API (`/v1/messages`), and its count of tokens, which is sent the same. Beside the messages the
 * system text and the definitions of tools are checked.
 */
export const MESSAGES: Endpoint = {
  messageMembers: ['system', 'tools', 'messages'],
  messagesOf({ system, tools, messages }) {
    if (!Array.isArray(messages)) return messages as unknown as readonly object[];
    return [
      ...(hasSystem(system) ? [{ role: 'system', content: system }] : []),
      ...(hasTools(tools) ? [{ role: DEFINITIONS, content: writeJson(tools) }] : []),
      ...(messages as object[]),
    ];
  },
  withMessages(body, messages) {
    const rest = [...(messages as readonly Members[])];
    const system = hasSystem(body.system) ? { system: rest.shift()?.content } : {};
    const tools = hasTools(body.tools) ? { tools: toTools(body.tools, rest.shift()?.content) } : {};
    return { ...body, ...system, ...tools, messages: rest.map(withoutUnsigned) };
  },
  async checkAnswer(answer, check) {
    const rest = await createUnreadCheck(check)(answer, MESSAGE_SHAPE);
    const given = listOf(rest, 'content');
    if (given === undefined) return rest;
    const message = { role: 'assistant', content: given.map(withoutForeignOdds) };
    // Citations repeat documents, and stand in no place that a message has.
    const cited = { type: 'function_call', arguments: message.content.map(citationsOf) };
    const hasCited = cited.arguments.some((citations) => citations !== undefined);
    const [checked, passed] = (await check(hasCited ? [message, cited] : [message])) as [
      typeof message,
      typeof cited,
    ];
    const content = hasCited
      ? checked.content.map((block, index) => withCitations(block, passed.arguments[index]))
      : checked.content;
    return { ...rest, content: content.map(withoutForeignOdds) };
  },
  createEvents: createMessageEvents,
};

function hasSystem(system: unknown): boolean {
  return (system ?? null) !== null;
}

function hasTools(tools: unknown): boolean {
  return (tools ?? null) !== null;
}

/** A redacted number is a text and cannot be parsed as JSON. */
function toTools(given: unknown, checked: unknown): unknown {
  return typeof given === 'number' ? checked : parseJson(String(checked));
}

function citationsOf(block: object): unknown {
  return (block as Members | null)?.citations ?? undefined;
}

function withCitations(block: object, citations: unknown): object {
  return citations === undefined ? block : { ...block, citations };
}

/** The API refuses reasoning without its signature, and takes an answer without its reasoning. */
function withoutUnsigned(message: Members): Members {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const kept = content.filter(({ type, signature }: Members) => type !== 'thinking' || signature);
  return kept.length === content.length ? message : { ...message, content: kept };
}
