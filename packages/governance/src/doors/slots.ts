import { isMessage, isPlainIdentifier } from '@probity/pipeline/messages';

/** Where a value is in a JSON value, by names and indexes. */
export type JsonPath = ReadonlyArray<string | number>;

type Json = Readonly<Record<string, unknown>>;

/** A part of a gateway's request as the message that is scanned in its place. */
export interface Slot {
  readonly path: JsonPath;
  readonly message: object;
  /** Turns the message, which may be redacted, back into the value at `path`. */
  back(message: Json): unknown;
}

/** Who wrote a value. Every message to the model is judged as a prompt, whatever role the client names. */
export type Side = 'user' | 'assistant';

/** Members that are lists of messages or items: OpenAI's chat and responses, Anthropic, Gemini. */
const MESSAGE_LISTS: ReadonlySet<string> = new Set(['messages', 'input', 'contents']);
/** Members that are content even where they hold one plain word. */
const CONTENT: ReadonlySet<string> = new Set(['prompt', 'input', 'content', 'text', 'output']);
/** Roles whose messages are results of tools. */
const TOOL_ROLES: ReadonlySet<unknown> = new Set(['tool', 'function']);
const ROLES: ReadonlySet<unknown> = new Set([
  ...['system', 'developer', 'user', 'assistant', 'model', 'tool', 'function'],
]);
/** From here on the pipeline reads a number as a text; a smaller one is a count or a setting. */
const LONG_NUMBER = 1e8;
const NAME_OF_TEXT = /[\d@\s]|^.{33}/s;

/** The parts of a request in the form of any provider's API: every member is read. */
export function requestSlots(json: unknown, path: JsonPath = []): Slot[] {
  if (!isObject(json)) return valueSlots('user', json, path);
  return Object.entries(json).flatMap(([name, value]) => {
    const at = [...path, name];
    return MESSAGE_LISTS.has(name) && Array.isArray(value)
      ? messageSlots('user', value, at)
      : valueSlots('user', value, at);
  });
}

/** The parts of a response in the form of any provider's API. */
export function responseSlots(json: unknown, path: JsonPath = []): Slot[] {
  if (!isObject(json)) return valueSlots('assistant', json, path);
  return Object.entries(json).flatMap(([name, value]) => {
    const at = [...path, name];
    if (name === 'content') return [contentSlot(value, at)];
    if (!Array.isArray(value)) return valueSlots('assistant', value, at);
    if (name === 'output') return messageSlots('assistant', value, at);
    if (name !== 'choices' && name !== 'candidates') return valueSlots('assistant', value, at);
    return value.flatMap((each: unknown, index) => answerSlots(each, [...at, index]));
  });
}

/** Messages or items of one side. */
export function messageSlots(
  side: Side,
  messages: readonly unknown[],
  path: JsonPath = [],
): Slot[] {
  return messages.flatMap((each, index) => messageSlot(side, each, [...path, index]));
}

/** A value in which everything that may be text is read; none where it has no content. */
export function valueSlots(side: Side, value: unknown, path: JsonPath): Slot[] {
  const isContent = CONTENT.has(String(path.at(-1))) && typeof value === 'string' && value !== '';
  if (isContent && side === 'assistant') {
    return [{ path, message: { role: side, content: value }, back: ({ content }) => content }];
  }
  if (!isContent && !hasContent(value)) return [];
  const message = { role: side, content: [{ type: 'members', members: value }] };
  return [{ path, message, back: ({ content }) => (content as Json[])[0]?.members }];
}

/** One message or item; in a form that the pipeline does not know it is read as a value. */
function messageSlot(side: Side, given: unknown, path: JsonPath): Slot[] {
  if (!isObject(given)) return valueSlots(side, given, path);
  if (Array.isArray(given.parts)) return geminiSlots(side, given, given.parts, path);
  if (given.role === undefined && typeof given.type === 'string') {
    return orValue(side, given, { path, message: given, back: (message) => message });
  }
  // Text in a role passes as a value: the message is scanned under its side's role.
  const isKnown = given.role === undefined || ROLES.has(given.role);
  if (!isKnown) return valueSlots(side, given, path);
  const role = side === 'user' && TOOL_ROLES.has(given.role) ? 'tool' : side;
  const hasNone = (given.content ?? null) === null;
  const message = { ...given, role, ...(hasNone ? { content: '' } : {}) };
  return orValue(side, given, {
    path,
    message,
    back: ({ role: _, content, ...others }) => ({
      ...others,
      ...('role' in given ? { role: given.role } : {}),
      ...('content' in given ? { content: hasNone ? given.content : content } : {}),
    }),
  });
}

/** A choice or a candidate: its message, and every other member by itself. */
function answerSlots(answer: unknown, path: JsonPath): Slot[] {
  if (!isObject(answer)) return valueSlots('assistant', answer, path);
  return Object.entries(answer).flatMap(([name, value]) => {
    const at = [...path, name];
    const isMessage = (name === 'message' || name === 'content') && isObject(value);
    return isMessage ? messageSlot('assistant', value, at) : valueSlots('assistant', value, at);
  });
}

/** Anthropic's answer is a list of parts. */
function contentSlot(content: unknown, path: JsonPath): Slot {
  const message = { role: 'assistant', content };
  const slot: Slot = { path, message, back: (given) => given.content };
  return orValue('assistant', content, slot)[0] ?? slot;
}

/** Gemini's parts have no type; with one, neighbouring texts are read across their border. */
function geminiSlots(side: Side, given: Json, parts: readonly unknown[], path: JsonPath): Slot[] {
  const { parts: _, role: __, ...others } = given;
  const typed = parts.map((part) =>
    isObject(part) && typeof part.text === 'string'
      ? { ...part, type: 'text' }
      : { type: 'members', members: part },
  );
  const withoutType = (part: Json) => {
    if (part.type !== 'text') return part.members;
    const { type, ...members } = part;
    return members;
  };
  const message = { role: side, content: typed };
  return [
    ...orValue(side, parts, {
      path: [...path, 'parts'],
      message,
      back: ({ content }) => (content as Json[]).map(withoutType),
    }),
    ...Object.entries(others).flatMap(([name, value]) => valueSlots(side, value, [...path, name])),
  ];
}

function orValue(side: Side, value: unknown, slot: Slot): Slot[] {
  return isMessage(slot.message) ? [slot] : valueSlots(side, value, slot.path);
}

/** Whether a value holds more than words of an interface, identifiers, switches and small numbers. */
function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && !isPlainIdentifier(value);
  if (typeof value === 'number') return Math.abs(value) >= LONG_NUMBER;
  if (Array.isArray(value)) return value.some(hasContent);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, each]) => NAME_OF_TEXT.test(name) || hasContent(each));
}

/** A copy of the value with the messages put back in the places of their slots. */
export function withMessages<Value>(
  value: Value,
  slots: readonly Slot[],
  messages: readonly object[],
): Value {
  const copy = { root: structuredClone(value) as unknown };
  for (const [index, slot] of slots.entries()) {
    const message = messages[index];
    if (message === undefined || message === slot.message) continue;
    const path = ['root', ...slot.path];
    const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Json)[key], copy);
    (holder as Record<string | number, unknown>)[path.at(-1) as string] = slot.back(
      message as Json,
    );
  }
  return withoutLogOdds(copy.root) as Value;
}

/** Log odds repeat the text that was replaced, token by token. */
function withoutLogOdds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLogOdds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'logprobsResult')
      .map(([name, each]) => {
        if (name !== 'logprobs' || typeof each !== 'object') return [name, withoutLogOdds(each)];
        return [name, Array.isArray(each) ? [] : null];
      }),
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
