import { isPlainIdentifier } from '../messages/identifiers.ts';
import { isMembers } from '../messages/message-place.ts';
import type { Steps } from '../messages/steps.ts';
import { isStepDue, runInTurns } from '../messages/steps.ts';
import { below } from '../messages/text-path.ts';
import { kept, mapUnknown } from '../messages/unknown-parts.ts';
import type { IsAsked } from './asked-texts.ts';
import { withoutAsked } from './asked-texts.ts';
import type { CheckAnswer, Members } from './endpoint.ts';
import { checkMessage } from './endpoint.ts';
import { createPlacesCheck } from './repeated-places.ts';

/** What is read otherwise of an object, or of each object in a list. */
export interface ReadShape {
  /** Members that are scanned in their places, or have no text: identifiers, counts. */
  readonly read: ReadonlySet<string>;
  /** Members that repeat the request: only what else they have is read, where the request is known. */
  readonly repeated?: ReadonlySet<string>;
  /** Members of which only a part is. */
  readonly below?: Readonly<Record<string, ReadShape>>;
  /** Whether it is read where it is a text in place of an object. */
  readonly readsText?: boolean;
}

const shape = (
  read: readonly string[],
  parts: Readonly<Record<string, ReadShape>> = {},
): ReadShape => ({ read: new Set(read), below: parts });

/** Members of the parts of a content. Those of a part of another type are all read in its place. */
const PART = shape([
  ...[
    'type',
    'text',
    'refusal',
    'thinking',
    'signature',
    'data',
    'citations',
    'logprobs',
    'summary',
  ],
  ...['id', 'name', 'input', 'arguments', 'output', 'content', 'source', 'title', 'context'],
]);
const MESSAGE_MEMBERS = [
  ...['name', 'refusal', 'reasoning', 'reasoning_content', 'tool_calls', 'function_call'],
];
const ANSWER_MEMBERS = ['id', 'object', 'created', 'model', 'system_fingerprint'];
const CONTENT: ReadShape = { ...PART, readsText: true };
const MESSAGE = shape(MESSAGE_MEMBERS, { content: CONTENT });

/** A chat completion. */
export const CHAT_SHAPE: ReadShape = shape(ANSWER_MEMBERS, {
  choices: shape(['index', 'logprobs'], { message: MESSAGE }),
});
/** A chunk of one. Padding has no meaning. */
export const CHUNK_SHAPE: ReadShape = shape([...ANSWER_MEMBERS, 'obfuscation'], {
  choices: shape(['index', 'logprobs'], { delta: shape(['content', ...MESSAGE_MEMBERS]) }),
});
/** What no one else reads any of. */
export const UNREAD_SHAPE: ReadShape = shape([]);

/** Members of items that are read where their types are known. */
const ITEM = shape(
  [
    ...['id', 'call_id', 'type', 'role', 'status', 'name', 'arguments', 'input', 'output', 'code'],
    ...['outputs', 'queries', 'results', 'action', 'operation', 'summary', 'encrypted_content'],
    'tools',
  ],
  { content: CONTENT },
);
/** A response of OpenAI. */
export const RESPONSE_SHAPE: ReadShape = {
  ...shape([...ANSWER_MEMBERS, 'created_at'], { output: ITEM }),
  repeated: new Set([
    ...['instructions', 'tools', 'tool_choice', 'text', 'prompt', 'metadata', 'user', 'reasoning'],
    ...['safety_identifier', 'prompt_cache_key', 'truncation', 'previous_response_id'],
  ]),
};
/** An event of a streamed response, of which `texts` are read otherwise. */
export function responseEventShape(texts: readonly string[]): ReadShape {
  const parts = { part: PART, item: ITEM, response: RESPONSE_SHAPE };
  return shape(['type', 'item_id', 'obfuscation', 'logprobs', ...texts], parts);
}
/** A message of Anthropic. */
export const MESSAGE_SHAPE: ReadShape = shape([...ANSWER_MEMBERS, 'type', 'role', 'container'], {
  content: PART,
});

/** An event of a streamed message; one of another type is read whole. */
export const MESSAGE_EVENT_SHAPE: ReadShape = shape(['type', 'index', 'content_block', 'delta'], {
  message: MESSAGE_SHAPE,
});

/** Words of an interface, such as `stop`, `content_filter` and `safe`: most answers have no other texts to read. */
const WORD = /^[A-Za-z_.]{0,64}$/;

/** Gives a value with the checked form of the members that nothing else reads. */
export type CheckUnread = <Value extends Members>(value: Value, shape: ReadShape) => Promise<Value>;

/**
 * Checks a whole answer.
 *
 * @param isAsked undefined where the request is not known
 */
export function createUnreadCheck(check: CheckAnswer, isAsked?: IsAsked): CheckUnread {
  return async <Value extends Members>(value: Value, shape: ReadShape) => {
    const unread = await runInTurns(unreadOf(value, shape, isAsked));
    if ((await textsIn(unread)) !== 'texts') return value;
    return merged(value, unread, await checkMembers(check, unread)) as Value;
  };
}

/** The same for the events of a stream, whose members are checked with those of earlier events. */
export function createEventCheck(check: CheckAnswer, isAsked?: IsAsked): CheckUnread {
  let known: { readonly text: string; readonly checked: unknown } | undefined;
  const checkPlaces = createPlacesCheck(check);
  const checkAll = async (given: unknown): Promise<unknown> => {
    const unread = await checkPlaces(given);
    // Chunks of a stream repeat their members.
    const text = JSON.stringify(unread);
    if (known?.text !== text) known = { text, checked: await checkMembers(check, unread) };
    return known.checked;
  };
  return async <Value extends Members>(value: Value, shape: ReadShape) => {
    const unread = await runInTurns(unreadOf(value, shape, isAsked));
    const kind = await textsIn(unread);
    if (kind === 'words') await checkPlaces(unread);
    if (kind !== 'texts') return value;
    return merged(value, unread, await checkAll(unread)) as Value;
  };
}

async function checkMembers(check: CheckAnswer, members: unknown): Promise<unknown> {
  const message = { role: 'assistant', content: [{ type: 'unread_members', members }] };
  const { content } = await checkMessage(check, message);
  return content[0]?.members;
}

function* unreadOf(value: unknown, shape: ReadShape, isAsked: IsAsked | undefined): Steps<unknown> {
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const each of value) {
      if (isStepDue()) yield;
      list.push(yield* unreadOf(each, shape, isAsked));
    }
    return list;
  }
  if (typeof value !== 'object' || value === null) return shape.readsText ? null : value;
  const { read, below: parts = {} } = shape;
  const unread: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value)) {
    if (read.has(name) && !isOtherThanName(name, each)) continue;
    if (shape.repeated?.has(name)) {
      if (isAsked !== undefined) unread.push([name, withoutAsked(each, isAsked)]);
      continue;
    }
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    unread.push([name, part === undefined ? each : yield* unreadOf(each, part, isAsked)]);
  }
  return Object.fromEntries(unread);
}

/** Members that name something in one word: what is no such name is read. */
const NAMES = new Set([
  ...['id', 'object', 'model', 'system_fingerprint', 'item_id', 'container', 'type', 'role'],
]);
/** Members that are numbers, which are seconds at most. */
const NUMBERS = new Set(['created', 'created_at', 'index']);
const MOST_SECONDS = 1e11;

/** Whether a member holds something else than what its name says. */
function isOtherThanName(name: string, value: unknown): boolean {
  if ((value ?? null) === null) return false;
  if (NAMES.has(name)) return typeof value !== 'string' || !isPlainIdentifier(value);
  return NUMBERS.has(name) && !(typeof value === 'number' && Math.abs(value) < MOST_SECONDS);
}

/** Whether there are texts, or words of an interface alone. */
async function textsIn(unread: unknown): Promise<'texts' | 'words' | 'none'> {
  let found: Awaited<ReturnType<typeof textsIn>> = 'none';
  const steps = mapUnknown(unread, below(undefined, 'members'), {
    replace(text, _path, kind) {
      if (!WORD.test(text)) found = 'texts';
      else if (found === 'none' && text !== '' && kind !== 'name') found = 'words';
      return kept(text);
    },
    // What is nested too deep is refused by the check.
    refuse() {
      found = 'texts';
    },
  });
  await runInTurns(steps);
  return found;
}

/** The value with the checked members in their places; one whose name was replaced is not there under its own. */
function merged(value: unknown, unread: unknown, checked: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(unread) && Array.isArray(checked)) {
    return value.map((each: unknown, index) => merged(each, unread[index], checked[index]));
  }
  if (!isMembers(value) || !isMembers(unread) || !isMembers(checked)) {
    return checked === null ? value : checked;
  }
  const kept = Object.entries(value).filter(
    ([name]) => !Object.hasOwn(unread, name) || Object.hasOwn(checked, name),
  );
  const members = Object.entries(checked).map(([name, each]) => [
    name,
    merged(value[name], unread[name], each),
  ]);
  return { ...Object.fromEntries(kept), ...Object.fromEntries(members) };
}

/**
 * A list in an answer; undefined where the answer has none.
 *
 * @throws TypeError for anything else, in which nothing could be told apart
 */
export function listOf(answer: Members, name: string): readonly object[] | undefined {
  const list = answer[name] ?? undefined;
  if (list === undefined || Array.isArray(list)) return list as readonly object[] | undefined;
  throw new TypeError(`messages: expected ${name} to be a list`);
}
