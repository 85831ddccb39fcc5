import type { DoorText, TextUse } from './types.ts';

/** A text in a JSON value, by the names and indexes that lead to it. */
export interface PlacedText extends DoorText {
  readonly path: ReadonlyArray<string | number>;
}

type Path = PlacedText['path'];
type Json = Readonly<Record<string, unknown>>;

/** What a model is asked: by OpenAI's chat, completions and responses, Anthropic's messages, Gemini. */
const ASKED = ['messages', 'prompt', 'input', 'contents'];
/** Instructions of the operator beside it. */
const INSTRUCTIONS = ['system', 'instructions', 'system_instruction', 'systemInstruction'];
/** Tools that it is offered, with what they say of themselves. */
const TOOLS = ['tools', 'functions'];
/** What a model answers, by the same. */
const ANSWERED = ['choices', 'content', 'output', 'candidates'];

/** Members of messages that hold JSON of a tool, in which every name, text and number is content. */
const VALUES: ReadonlySet<string> = new Set(['arguments', 'args', 'input', 'response', 'json']);
/**
 * Members of messages that are no text: of everything else the texts are scanned, as providers add parts with every
 * release, and a part that is not known must not pass unread.
 */
const NO_TEXT: ReadonlySet<string> = new Set([
  ...['role', 'type', 'id', 'object', 'model', 'status', 'index', 'phase'],
  ...['tool_call_id', 'tool_use_id', 'call_id', 'item_id', 'file_id', 'container_id'],
  ...['finish_reason', 'finishReason', 'stop_reason', 'logprobs', 'logprobsResult', 'usage'],
  ...['signature', 'thoughtSignature', 'thought_signature', 'encrypted_content', 'cache_control'],
  ...['media_type', 'mime_type', 'mimeType', 'format', 'detail', 'url', 'image_url', 'file_data'],
  ...['fileUri', 'file_uri', 'b64_json', 'safetyRatings'],
]);

/** The texts of a request in the form of a provider's API. Images and sounds have none. */
export function requestTexts(json: unknown): PlacedText[] {
  if (!isObject(json)) return [];
  return [
    ...INSTRUCTIONS.flatMap((name) => textsIn(json[name], [name], 'system')),
    ...TOOLS.flatMap((name) => toolTexts(json[name], [name])),
    ...ASKED.flatMap((name) => {
      const value = json[name];
      return Array.isArray(value) ? messagesTexts(value, [name]) : textsIn(value, [name], 'prompt');
    }),
  ];
}

/** The texts of a response in the form of a provider's API. */
export function responseTexts(json: unknown): PlacedText[] {
  if (!isObject(json)) return [];
  return ANSWERED.flatMap((name) => textsIn(json[name], [name], 'response'));
}

/** The texts of messages, by their roles. */
export function messagesTexts(messages: readonly unknown[], path: Path = []): PlacedText[] {
  return messages.flatMap((message, index) => textsIn(message, [...path, index], useOf(message)));
}

/** The names and descriptions of tools and of their parameters. */
export function toolTexts(tools: unknown, path: Path = []): PlacedText[] {
  return textsIn(tools, path, 'system');
}

/** What the model has answered before is part of what it is asked. */
function useOf(message: unknown): TextUse {
  const role = isObject(message) ? message.role : undefined;
  return role === 'system' || role === 'developer' ? 'system' : 'prompt';
}

/** The texts of a message or a part of one, as deep as they are. */
function textsIn(value: unknown, path: Path, use: TextUse): PlacedText[] {
  if (typeof value === 'string') return [{ use, text: value, path }];
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => textsIn(each, [...path, index], use));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (NO_TEXT.has(name) || isBinary(name, value)) return [];
    const at = [...path, name];
    if (!VALUES.has(name)) return textsIn(member, at, use);
    if (typeof member === 'string')
      return [{ use, text: member, path: at, isJson: isJson(member) }];
    return valueTexts(member, at, use);
  });
}

/** Names, texts and numbers of a JSON value. What is no text cannot be replaced by one. */
function valueTexts(value: unknown, path: Path, use: TextUse): PlacedText[] {
  if (typeof value === 'string') return [{ use, text: value, path }];
  if (typeof value === 'number') return [{ use, text: String(value), path, isFixed: true }];
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => valueTexts(each, [...path, index], use));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name];
    return [{ use, text: name, path: at, isFixed: true }, ...valueTexts(member, at, use)];
  });
}

/** The `data` of a file or a sound; that of a document may be text. */
function isBinary(name: string, { type, media_type: media }: Json): boolean {
  return name === 'data' && type !== 'text' && media !== 'text/plain';
}

/** Arguments are JSON, the input of a tool without a schema any text. */
function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of the value with other texts at the places, apart from those that are fixed. */
export function withTexts<Value>(
  value: Value,
  places: readonly PlacedText[],
  texts: readonly string[],
): Value {
  const copy = structuredClone(value);
  for (const [index, { path, isFixed }] of places.entries()) {
    const name = path.at(-1);
    if (isFixed || name === undefined) continue;
    const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Json)[key], copy);
    (holder as Record<string | number, unknown>)[name] = texts[index];
  }
  return copy;
}
