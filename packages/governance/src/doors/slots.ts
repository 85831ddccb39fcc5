import type { Steps } from '@probity/pipeline/messages';
import { isMessage, isPlainIdentifier, isStepDue, keepNumbers } from '@probity/pipeline/messages';

/** Where a value is in a JSON value, by names and indexes. */
export type JsonPath = ReadonlyArray<string | number>;

type Json = Readonly<Record<string, unknown>>;

/** A part of a gateway's request as the message that is scanned in its place. */
export interface Slot {
  readonly path: JsonPath;
  readonly message: object;
  /** Turns the message, which may be redacted, back into the value at `path`. */
  back(message: Json): unknown;
  /** The name of the member at `path`, which may be redacted as well; default: as it was. */
  nameOf?(message: Json): string;
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
/** Members whose identifiers and words are of the interface; other members may label a password. */
const WORDS: ReadonlySet<string> = new Set([
  ...['id', 'model', 'object', 'type', 'role', 'status', 'system_fingerprint', 'service_tier'],
  ...['finish_reason', 'finishReason', 'stop_reason', 'tool_choice', 'reasoning_effort', 'strict'],
  ...['modelVersion', 'truncation', 'verbosity', 'effort', 'encoding_format', 'modalities'],
]);
const ID = /(?:_id|Id)$/;
/** From here on the pipeline reads a number as a text; a smaller one is a count or a setting. */
const LONG_NUMBER = 1e8;
const NAME_OF_TEXT = /[\d@\s]|^.{33}/s;

/** The parts of a request in the form of any provider's API: every member is read. */
export function* requestSlots(json: unknown, path: JsonPath = []): Steps<Slot[]> {
  if (!isObject(json)) return yield* valueSlots('user', json, path);
  return yield* slotsOf(Object.entries(json), ([name, value]) => {
    const at = [...path, name];
    return MESSAGE_LISTS.has(name) && Array.isArray(value)
      ? messageSlots('user', value, at)
      : valueSlots('user', value, at);
  });
}

/** The parts of a response in the form of any provider's API. */
export function* responseSlots(json: unknown, path: JsonPath = []): Steps<Slot[]> {
  if (!isObject(json)) return yield* valueSlots('assistant', json, path);
  return yield* slotsOf(Object.entries(json), ([name, value]) => {
    const at = [...path, name];
    if (name === 'content') return contentSlots(value, at);
    if (!Array.isArray(value)) return valueSlots('assistant', value, at);
    if (name === 'output') return messageSlots('assistant', value, at);
    if (name !== 'choices' && name !== 'candidates') return valueSlots('assistant', value, at);
    return slotsOf(value, (each, index) => answerSlots(each, [...at, index]));
  });
}

/** Messages or items of one side. */
export function messageSlots(
  side: Side,
  messages: readonly unknown[],
  path: JsonPath = [],
): Steps<Slot[]> {
  return slotsOf(messages, (each, index) => messageSlot(side, each, [...path, index]));
}

/** A value in which everything that may be text is read, after the name of its member; none where it has no content. */
export function* valueSlots(side: Side, value: unknown, path: JsonPath): Steps<Slot[]> {
  const name = path.at(-1);
  const isWhole = typeof name !== 'string' || CONTENT.has(name);
  const isContent =
    isWhole && typeof name === 'string' && typeof value === 'string' && value !== '';
  if (isContent && side === 'assistant') {
    return [{ path, message: { role: side, content: value }, back: ({ content }) => content }];
  }
  const hasName = !isWhole && NAME_OF_TEXT.test(name);
  if (!isContent && !hasName && !(yield* hasContent(value, isWhole ? '' : name))) return [];
  const members = isWhole ? value : { [name]: value };
  const message = { role: side, content: [{ type: 'members', members }] };
  const membersOf = ({ content }: Json) => (content as Json[])[0]?.members;
  if (isWhole) return [{ path, message, back: membersOf }];
  const member = (given: Json) => Object.entries(membersOf(given) as Json)[0] ?? [name, value];
  return [
    { path, message, back: (given) => member(given)[1], nameOf: (given) => member(given)[0] },
  ];
}

function* slotsOf<Value>(
  values: readonly Value[],
  of: (value: Value, index: number) => Steps<Slot[]>,
): Steps<Slot[]> {
  const slots: Slot[] = [];
  for (const [index, value] of values.entries()) {
    if (isStepDue()) yield;
    for (const slot of yield* of(value, index)) slots.push(slot);
  }
  return slots;
}

/** One message or item; in a form that the pipeline does not know it is read as a value. */
function* messageSlot(side: Side, given: unknown, path: JsonPath): Steps<Slot[]> {
  if (!isObject(given)) return yield* valueSlots(side, given, path);
  if (Array.isArray(given.parts)) return yield* geminiSlots(side, given, given.parts, path);
  if (given.role === undefined && typeof given.type === 'string') {
    return yield* orValue(side, given, { path, message: given, back: (message) => message });
  }
  // Text in a role passes as a value: the message is scanned under its side's role.
  const isKnown = given.role === undefined || ROLES.has(given.role);
  if (!isKnown) return yield* valueSlots(side, given, path);
  const role = side === 'user' && TOOL_ROLES.has(given.role) ? 'tool' : side;
  const hasNone = (given.content ?? null) === null;
  const message = { ...given, role, ...(hasNone ? { content: '' } : {}) };
  return yield* orValue(side, given, {
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
function* answerSlots(answer: unknown, path: JsonPath): Steps<Slot[]> {
  if (!isObject(answer)) return yield* valueSlots('assistant', answer, path);
  return yield* slotsOf(Object.entries(answer), ([name, value]) => {
    const at = [...path, name];
    const isAnswer = (name === 'message' || name === 'content') && isObject(value);
    return isAnswer ? messageSlot('assistant', value, at) : valueSlots('assistant', value, at);
  });
}

/** Anthropic's answer is a list of parts. */
function* contentSlots(content: unknown, path: JsonPath): Steps<Slot[]> {
  const message = { role: 'assistant', content };
  const slot: Slot = { path, message, back: (given) => given.content };
  const slots = yield* orValue('assistant', content, slot);
  return slots.length === 0 ? [slot] : slots;
}

/** Gemini's parts have no type; with one, neighbouring texts are read across their border. */
function* geminiSlots(
  side: Side,
  given: Json,
  parts: readonly unknown[],
  path: JsonPath,
): Steps<Slot[]> {
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
  const own = yield* orValue(side, parts, {
    path: [...path, 'parts'],
    message,
    back: ({ content }) => (content as Json[]).map(withoutType),
  });
  const further = yield* slotsOf(Object.entries(others), ([name, value]) =>
    valueSlots(side, value, [...path, name]),
  );
  return [...own, ...further];
}

function* orValue(side: Side, value: unknown, slot: Slot): Steps<Slot[]> {
  return (yield* isMessage(slot.message)) ? [slot] : yield* valueSlots(side, value, slot.path);
}

/**
 * Whether a value holds more than words of an interface, identifiers, switches and small numbers.
 * @param name of the member that holds it
 */
function* hasContent(value: unknown, name: string): Steps<boolean> {
  if (typeof value === 'string') {
    const isOwn = name === '' || WORDS.has(name) || ID.test(name);
    return value !== '' && !(isOwn && isPlainIdentifier(value));
  }
  if (typeof value === 'number') return Math.abs(value) >= LONG_NUMBER;
  if (typeof value !== 'object' || value === null) return false;
  const isList = Array.isArray(value);
  for (const [own, each] of entriesOf(value)) {
    if (isStepDue()) yield;
    if (!isList && NAME_OF_TEXT.test(own)) return true;
    if (yield* hasContent(each, isList ? name : own)) return true;
  }
  return false;
}

/** The members of an object, or the values of a list one by one: a list may be very long. */
function* entriesOf(value: object): Generator<readonly [string, unknown]> {
  if (!Array.isArray(value)) return yield* Object.entries(value);
  for (let index = 0; index < value.length; index++) yield [String(index), value[index]];
}

/** Steps that end with a copy of the value with the messages put back in the places of their slots. */
export function* withMessages<Value>(
  value: Value,
  slots: readonly Slot[],
  messages: readonly object[],
): Steps<Value> {
  const root: Record<string, unknown> = { value };
  const copies = new Set<unknown>([root]);
  const copyIn = (holder: Holder, key: string | number): Holder => {
    const inner = holder[key] as Holder;
    if (copies.has(inner)) return inner;
    const copy = keepNumbers((Array.isArray(inner) ? [...inner] : { ...inner }) as Holder, inner);
    copies.add(copy);
    holder[key] = copy;
    return copy;
  };
  for (const [index, slot] of slots.entries()) {
    if (isStepDue()) yield;
    const message = messages[index];
    if (message === undefined || message === slot.message) continue;
    const path = ['value', ...slot.path];
    const holder = path.slice(0, -1).reduce<Holder>(copyIn, root);
    const name = path.at(-1) as string;
    const shown = slot.nameOf?.(message as Json) ?? name;
    if (shown !== name) delete holder[name];
    holder[shown] = slot.back(message as Json);
  }
  return (yield* withoutLogOdds(root.value)) as Value;
}

type Holder = Record<string | number, unknown>;

/** Log odds repeat the text that was replaced, token by token. */
function* withoutLogOdds(value: unknown): Steps<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = [];
  let isChanged = false;
  for (const [name, each] of entriesOf(value)) {
    if (isStepDue()) yield;
    const isOdds = !Array.isArray(value) && name === 'logprobs' && typeof each === 'object';
    const left = isOdds ? (Array.isArray(each) ? [] : null) : yield* withoutLogOdds(each);
    isChanged ||= left !== each || name === 'logprobsResult';
    if (name !== 'logprobsResult') entries.push([name, left]);
  }
  if (!isChanged) return value;
  const copy = Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
  return keepNumbers(copy, value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
