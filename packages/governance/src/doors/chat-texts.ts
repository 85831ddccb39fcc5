import type { DoorText, TextUse } from './types.ts';

/** A text in a JSON value, by the names and indexes that lead to it. */
export interface PlacedText extends DoorText {
  readonly path: ReadonlyArray<string | number>;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The texts of a request in the form of OpenAI's API: of `messages`, else of `prompt` or `input`. Images and sounds have
 * none.
 */
export function requestTexts(json: unknown): PlacedText[] {
  if (!isObject(json)) return [];
  if (Array.isArray(json.messages)) return messagesTexts(json.messages, ['messages']);
  return (['prompt', 'input'] as const).flatMap((name) => listTexts(json[name], [name], 'prompt'));
}

/** The texts of a response in the form of OpenAI's API: of the messages of all choices, or their `text`. */
export function responseTexts(json: unknown): PlacedText[] {
  if (!isObject(json) || !Array.isArray(json.choices)) return [];
  return json.choices.flatMap((choice: unknown, index) => {
    if (!isObject(choice)) return [];
    const path = ['choices', index];
    return [
      ...messageTexts(choice.message, [...path, 'message'], 'response'),
      ...textAt(choice.text, [...path, 'text'], 'response'),
    ];
  });
}

/** The texts of messages, by their roles. */
export function messagesTexts(
  messages: readonly unknown[],
  path: PlacedText['path'] = [],
): PlacedText[] {
  return messages.flatMap((message, index) =>
    messageTexts(message, [...path, index], useOf(message)),
  );
}

/** What the model has answered before is part of what it is asked. */
function useOf(message: unknown): TextUse {
  const role = isObject(message) ? message.role : undefined;
  return role === 'system' || role === 'developer' ? 'system' : 'prompt';
}

function messageTexts(message: unknown, path: PlacedText['path'], use: TextUse): PlacedText[] {
  if (!isObject(message)) return [];
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return [
    ...listTexts(message.content, [...path, 'content'], use),
    ...calls.flatMap((call: unknown, index) => {
      const given = isObject(call) && isObject(call.function) ? call.function.arguments : undefined;
      const at = [...path, 'tool_calls', index, 'function', 'arguments'];
      return textAt(given, at, use).map((text) => ({ ...text, isJson: true }));
    }),
  ];
}

/** A text, a list of texts, or a list of parts of which some have a text. */
function listTexts(value: unknown, path: PlacedText['path'], use: TextUse): PlacedText[] {
  if (!Array.isArray(value)) return textAt(value, path, use);
  return value.flatMap((part: unknown, index) =>
    isObject(part)
      ? textAt(part.text, [...path, index, 'text'], use)
      : textAt(part, [...path, index], use),
  );
}

function textAt(value: unknown, path: PlacedText['path'], use: TextUse): PlacedText[] {
  return typeof value === 'string' ? [{ use, text: value, path }] : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of the value with other texts at the places. */
export function withTexts<Value>(
  value: Value,
  places: readonly PlacedText[],
  texts: readonly string[],
): Value {
  const copy = structuredClone(value);
  for (const [index, { path }] of places.entries()) {
    const name = path.at(-1);
    const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Json)[key], copy);
    if (name !== undefined) (holder as Record<string | number, unknown>)[name] = texts[index];
  }
  return copy;
}
