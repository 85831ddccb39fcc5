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

/** A value with other texts in the places of its runs, where these say something else than before. */
export function withRuns(
  value: unknown,
  runs: readonly TextRun[],
  texts: readonly (readonly string[])[],
): unknown {
  return runs.reduce(
    (held, run, at) =>
      run.texts.reduce((current, { keys, text }, index) => {
        const replaced = texts[at]?.[index];
        return replaced === undefined || replaced === text
          ? current
          : setAt(current, keys, replaced);
      }, held),
    value,
  );
}

/** Where a name on the way was redacted, nothing is changed. */
function setAt(value: unknown, [key, ...rest]: Keys, text: string): unknown {
  if (key === undefined) return typeof value === 'string' ? text : value;
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) => (index === key ? setAt(each, rest, text) : each));
  }
  if (!isMembers(value) || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: setAt(value[key], rest, text) };
}
