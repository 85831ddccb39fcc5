import { createHash } from 'node:crypto';
import type { Steps } from '../steps.ts';
import { fold, foldedPartsOf } from './folding.ts';
import { toPrintable } from './printable.ts';
import { STEP, WINDOW, Windows } from './windows.ts';

/** Longest label that is a name. */
const MAX_LABEL = 120;

/** Units of a prompt's beginning that are kept until the labels of all results are known. */
export const PROMPT_HEAD = 24;

/** Units that a name may not share with a prompt; a label that is shorter may be no part of one. */
const SHARED = 16;

/** Units of prompts that labels are compared with; where there are more, no label is taken for a name. */
const MAX_COMPARED = 2_000_000;

/** Longest prompt that may be as short as a label when escapes and white space are folded. */
const MAX_SHORT = 1_200;

/** A prompt as a result names it. */
export interface PromptName {
  readonly label: string | null;
  /** The tool's hash of the prompt. */
  readonly promptId: string | null;
  /** Whether the label may be a part of the prompt's text: it is one, or the file does not have the text. */
  readonly isText: boolean;
}

/**
 * The label when it is a name, and else `prompt-` with 12 hexadecimal digits of the prompt's id or of the
 * label's SHA-256: the label of a prompt without a name is its text. The rule is part of the version of the
 * idempotency keys.
 * @param parts labels that are parts of prompts or templates of the evaluation
 */
export function toPromptLabel(
  { label, promptId, isText }: PromptName,
  parts: ReadonlySet<string>,
): string | null {
  if (label !== null && !isText && isName(label) && !parts.has(label)) return label;
  const id = /^[0-9a-f]{12}/i.exec(promptId ?? '')?.[0].toLowerCase();
  if (id !== undefined) return `prompt-${id}`;
  if (label === null) return null;
  return `prompt-${createHash('sha256').update(label).digest('hex').slice(0, 12)}`;
}

/** Whether a text has the form of a name: one line, short, no template. */
export function isName(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= MAX_LABEL &&
    !/\{[{%#]/.test(text) &&
    !/[\r\n]/.test(text) &&
    toPrintable(text) === text
  );
}

/**
 * The labels of which a part also stands in one of the prompts, in whatever case, normal form and escapes: 16 units,
 * or the whole label where it is shorter.
 */
export function* partsOf(
  labels: readonly string[],
  prompts: readonly string[],
): Steps<Set<string>> {
  const compared = prompts.reduce((sum, prompt) => sum + prompt.length, 0);
  if (compared > MAX_COMPARED) return new Set(labels);
  const names = labels.filter(isName);
  if (names.length === 0) return new Set();
  const short = names.filter((name) => fold(name).length < WINDOW);
  const whole = short.length === 0 ? new Set<string>() : shortOf(prompts);
  const isWhole = (name: string) => whole.has(fold(name));
  return new Set([...(yield* findParts(names, prompts)), ...short.filter(isWhole)]);
}

/** Labels long enough to have windows; those of all labels are looked up at once. */
function* findParts(names: readonly string[], prompts: readonly string[]): Steps<string[]> {
  const folded = names.map(fold);
  const joined = folded.join('\n');
  if (joined.length < WINDOW) return [];
  const windows = new Windows(joined);
  let units = 0;
  for (const prompt of prompts) {
    for (const part of foldedPartsOf(prompt)) {
      windows.findAll(part);
      units += part.length;
      if (units < STEP) continue;
      units = 0;
      yield;
    }
  }
  const marks = new Uint8Array(joined.length);
  windows.markFound(marks);
  let start = 0;
  return names.filter((_, index) => {
    const { length } = folded[index] as string;
    const run = longestRun(marks.subarray(start, start + length));
    start += length + 1;
    return run >= Math.min(SHARED, length) && length >= WINDOW;
  });
}

/** A label of less than a window is a part of a prompt only where it is the whole of it. */
function shortOf(prompts: readonly string[]): Set<string> {
  const folded = prompts.filter(({ length }) => length <= MAX_SHORT).map(fold);
  return new Set(folded.filter(({ length }) => length < WINDOW));
}

function longestRun(marks: Uint8Array): number {
  let longest = 0;
  let run = 0;
  for (const mark of marks) {
    run = mark === 1 ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
