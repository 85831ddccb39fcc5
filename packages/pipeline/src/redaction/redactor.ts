import { didYouMean } from '../did-you-mean.ts';
import { requireKnownMembers, typeOf } from '../known-members.ts';
import type { Field, Finding, ScanInput, TextRange } from '../types.ts';
import { createLabels, maskValue } from './replacements.ts';
import { createTokens } from './tokens.ts';

/**
 * What is put in place of a value: a numbered placeholder (`[EMAIL_1]`); a mask of the same shape
 * (`**** **** **** 1111`); or a token (`[EMAIL_KTQGHBNSDM]`) that can be turned back into the value.
 */
export type RedactionStyle = 'placeholder' | 'mask' | 'token';

/** A place to redact; of overlapping ones the highest score gives the type. */
export interface RedactionMark extends TextRange {
  readonly type: string;
  readonly score: number;
}

/** How values are replaced. */
export interface RedactorOptions {
  /** Default `placeholder`. */
  readonly style?: RedactionStyle | undefined;
  /** Another style for some types. */
  readonly styles?: Readonly<Record<string, RedactionStyle>> | undefined;
  /** Fills bytes with chance, for tokens and their seal. Default node:crypto. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
}

/** Replaces values in any number of texts; the same value gets the same replacement in all of them. */
export interface Redactor {
  /** The text with the marked places replaced. Overlapping marks become one. */
  redact(text: string, marks: readonly RedactionMark[]): string;
  /**
   * The tokens made so far with their values, encrypted (AES-256-GCM) for `restore`.
   *
   * @param key 32 bytes
   * @throws RedactionError when the key has another length
   */
  seal(key: Uint8Array): string;
}

/**
 * Refuses what is no redactor, such as its options.
 * @throws TypeError that names the option
 */
export function requireRedactor(owner: string, redactor: unknown): void {
  if (redactor === undefined) return;
  if (typeof (redactor as Redactor | null)?.redact === 'function') return;
  const got = typeOf(redactor);
  throw new TypeError(`${owner}: redactor must be made by createRedactor(); got ${got}.`);
}

const STYLES: readonly RedactionStyle[] = ['placeholder', 'mask', 'token'];

/**
 * Makes a redactor for the texts of one exchange.
 *
 * @throws TypeError for an option or a style that does not exist
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  requireKnownMembers('createRedactor', options, ['style', 'styles', 'randomBytes']);
  const { style = 'placeholder', styles = {}, randomBytes } = options;
  requireStyle('style', style);
  if (typeof styles !== 'object' || styles === null || Array.isArray(styles)) {
    const got = typeOf(styles);
    throw new TypeError(`createRedactor: styles must be an object of styles by type; got ${got}.`);
  }
  for (const [type, each] of Object.entries(styles)) requireStyle(`styles.${type}`, each);
  if (randomBytes !== undefined && typeof randomBytes !== 'function') {
    const got = typeOf(randomBytes);
    throw new TypeError(`createRedactor: randomBytes must be a function; got ${got}.`);
  }
  const label = createLabels();
  const tokens = createTokens(randomBytes);
  const replace = ({ type, start, end }: RedactionMark, text: string): string => {
    const value = text.slice(start, end);
    const chosen = styles[type] ?? style;
    if (chosen === 'mask') return maskValue(type, value);
    return chosen === 'token' ? tokens.tokenFor(type, value, text) : label(type, value);
  };
  return {
    redact(text, marks) {
      requireMarked(text, marks);
      let output = '';
      let copied = 0;
      for (const mark of mergeOverlaps(marks)) {
        output += text.slice(copied, mark.start) + replace(mark, text);
        copied = mark.end;
      }
      return output + text.slice(copied);
    },
    seal: (key) => tokens.seal(key),
  };
}

function requireStyle(name: string, style: unknown): void {
  if (STYLES.includes(style as RedactionStyle)) return;
  const got = typeof style === 'string' ? JSON.stringify(style.slice(0, 60)) : typeOf(style);
  const message = `createRedactor: ${name} must be one of ${STYLES.join(', ')}; got ${got}.`;
  throw new TypeError(message + didYouMean(style, STYLES));
}

function requireMarked(text: unknown, marks: unknown): void {
  if (typeof text !== 'string') {
    throw new TypeError(`redact: text must be a string; got ${typeOf(text)}.`);
  }
  if (Array.isArray(marks)) return;
  throw new TypeError(`redact: marks must be a list of findings; got ${typeOf(marks)}.`);
}

/** The texts of an input with placeholders in place of what a policy redacts. */
export interface RedactedTexts {
  readonly prompt: string | null;
  readonly response: string;
  /** Present where the input has system text. */
  readonly system?: string;
}

/**
 * Puts placeholders such as `[CREDIT_CARD_1]` in place of the findings of prompt, response and system
 * text. The same value gets the same placeholder in all of them; overlapping findings become one, named after
 * the one with the highest score.
 *
 * @param redactor makes the replacements; by default one of its own, with placeholders
 */
export function redactInput(
  input: ScanInput,
  findings: readonly Finding[],
  redactor: Redactor = createRedactor(),
): RedactedTexts {
  const redact = (text: string, field: Field) =>
    redactor.redact(
      text,
      findings.filter((found) => found.field === field),
    );
  const { system, prompt, response } = input;
  return {
    prompt: prompt === undefined ? null : redact(prompt, 'prompt'),
    response: redact(response, 'response'),
    ...(system === undefined ? {} : { system: redact(system, 'system') }),
  };
}

/** Marks in order, without overlaps: those that overlap become one, with the type of the surest. */
function mergeOverlaps(marks: readonly RedactionMark[]): RedactionMark[] {
  const merged: RedactionMark[] = [];
  for (const mark of [...marks].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || mark.start >= last.end) {
      merged.push(mark);
      continue;
    }
    const { type, score } = mark.score > last.score ? mark : last;
    const end = Math.max(last.end, mark.end);
    merged[merged.length - 1] = { type, score, start: last.start, end };
  }
  return merged;
}
