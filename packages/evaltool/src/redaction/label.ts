import { createHash } from 'node:crypto';
import { toPrintable } from './printable.ts';

/** Longest label that is a name. */
const MAX_LABEL = 120;

/** Units of a prompt's beginning that no label may contain. */
export const PROMPT_HEAD = 24;

/** A prompt as a result names it. */
export interface PromptName {
  readonly label: string | null;
  /** The tool's hash of the prompt. */
  readonly promptId: string | null;
  /** Whether the tool left out the prompt's text, with which the label could be compared. */
  readonly isStripped: boolean;
}

/**
 * The label when it is a name, and else `prompt-` with 12 hexadecimal digits of the prompt's id or of the
 * label's SHA-256: the label of a prompt without a name is its text. The rule is part of the version of the
 * idempotency keys.
 * @param heads beginnings of all prompts and templates of the evaluation
 */
export function toPromptLabel(
  { label, promptId, isStripped }: PromptName,
  heads: ReadonlySet<string>,
): string | null {
  if (label !== null && !isStripped && isName(label) && !containsAny(label, heads)) return label;
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
    !text.includes('{{') &&
    !/[\r\n]/.test(text) &&
    toPrintable(text) === text
  );
}

function containsAny(label: string, heads: ReadonlySet<string>): boolean {
  for (const head of heads) if (head !== '' && label.includes(head)) return true;
  return false;
}
