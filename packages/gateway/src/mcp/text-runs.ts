import { isMembers } from './json-rpc.ts';

type Keys = readonly (string | number)[];

/** Texts that a client puts together: the parts of one content, or the messages of one prompt. */
export interface TextRun {
  readonly texts: readonly { readonly keys: Keys; readonly text: string }[];
}

/**
 * The runs of at least two texts in a value: `content: [{type: 'text', text}]` of results and messages, and `messages:
 * [{content: {type: 'text', text}}]` of prompts and of what a server asks a client's model.
 */
export function textRunsOf(value: unknown): readonly TextRun[] {
  const runs: TextRun[] = [];
  walk(value, [], runs);
  return runs;
}

function walk(value: unknown, keys: Keys, runs: TextRun[]): void {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) walk(each, [...keys, index], runs);
    return;
  }
  if (!isMembers(value)) return;
  for (const [name, each] of Object.entries(value)) {
    const below = [...keys, name];
    if (Array.isArray(each) && (name === 'content' || name === 'messages')) {
      const texts = each.flatMap((part: unknown, index) => textIn(part, [...below, index]));
      if (texts.length > 1) runs.push({ texts });
    }
    walk(each, below, runs);
  }
}

/** Of a text part its text, of a message that of its content. */
function textIn(part: unknown, keys: Keys): TextRun['texts'] {
  if (!isMembers(part)) return [];
  if (typeof part.text === 'string') return [{ keys: [...keys, 'text'], text: part.text }];
  const { content } = part;
  if (typeof content === 'string') return [{ keys: [...keys, 'content'], text: content }];
  return isMembers(content) ? textIn(content, [...keys, 'content']) : [];
}

/**
 * Sets other texts in the places of the runs of a value, which is changed: a copy for each text would take a time that
 * grows with their square. Where a name on the way was redacted, nothing is changed.
 */
export function setRuns(
  value: unknown,
  runs: readonly TextRun[],
  texts: readonly (readonly string[])[],
): void {
  for (const [at, run] of runs.entries()) {
    for (const [index, { keys, text }] of run.texts.entries()) {
      const replaced = texts[at]?.[index];
      if (replaced !== undefined && replaced !== text) setAt(value, keys, replaced);
    }
  }
}

function setAt(value: unknown, keys: Keys, text: string): void {
  const last = keys.length - 1;
  let held = value;
  for (const [index, key] of keys.entries()) {
    if (typeof held !== 'object' || held === null || !Object.hasOwn(held, key)) return;
    const members = held as Record<string | number, unknown>;
    if (index < last) held = members[key];
    else if (typeof members[key] === 'string') members[key] = text;
  }
}
