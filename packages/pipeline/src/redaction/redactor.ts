import { didYouMean } from '../did-you-mean.ts';
import { requireKnownMembers, typeOf } from '../known-members.ts';
import type { Field, Finding, ScanInput, TextRange } from '../types.ts';
import { quoteNumbers } from './quote-numbers.ts';
import { createLabels, maskValue } from './replacements.ts';
import type { TokenRestorer } from './token-restorer.ts';
import { restorerOf } from './token-restorer.ts';
import type { Tokens } from './tokens.ts';
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
  /** The text before and after the replacement. Default: `"` around one of a number in JSON, otherwise nothing. */
  readonly quote?: string | undefined;
}

/** How values are replaced. */
export interface RedactorOptions {
  /** Default `placeholder`. */
  readonly style?: RedactionStyle | undefined;
  /** Another style for some types. */
  readonly styles?: Readonly<Record<string, RedactionStyle>> | undefined;
  /** Fills bytes with chance, for tokens and their seal. Default node:crypto. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
  /**
   * Makes tokens of the values with this secret (HMAC-SHA-256), rather than of chance: redactors with the same key
   * give a value the same token. At least 16 bytes.
   */
  readonly key?: Uint8Array | undefined;
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

/** A redactor that turns its tokens back. */
export interface ReversibleRedactor extends Redactor {
  /** Puts values back in place of the tokens made so far, without a key: those of later ones are not known to it. */
  restorer(): TokenRestorer;
  /**
   * A redactor for what a model answers: values get the tokens that they have here, and others get some of their
   * own that are never turned back: what was sent comes back, and nothing that a policy redacts in answers.
   */
  forAnswers(): Redactor;
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
export function createRedactor(options: RedactorOptions = {}): ReversibleRedactor {
  requireKnownMembers('createRedactor', options, ['style', 'styles', 'randomBytes', 'key']);
  const { style = 'placeholder', styles = {}, randomBytes, key } = options;
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
  requireKey(key);
  return redactorOf({
    styleOf: (type) => (Object.hasOwn(styles, type) ? styles[type] : undefined) ?? style,
    label: createLabels(),
    tokens: createTokens({ randomBytes, key }),
  });
}

/** What redactors of one exchange share. */
interface Replacements {
  readonly styleOf: (type: string) => RedactionStyle;
  readonly label: (type: string, value: string) => string;
  readonly tokens: Tokens;
}

function redactorOf(shared: Replacements, isKept = true): ReversibleRedactor {
  const { styleOf, label, tokens } = shared;
  const replace = ({ type, start, end, quote = '' }: RedactionMark, text: string): string => {
    const value = text.slice(start, end);
    const chosen = styleOf(type);
    if (chosen === 'mask') return quote + maskValue(type, value) + quote;
    if (chosen === 'placeholder') return quote + label(type, value) + quote;
    const isQuoted = text.charAt(start - 1) === '"' && /["\\]/.test(text.charAt(end));
    const use = quote === '' ? (isQuoted ? 'string' : 'text') : 'number';
    return quote + tokens.tokenFor({ type, value, text, isKept, use }) + quote;
  };
  return {
    redact(text, marks) {
      if (typeof text !== 'string') {
        throw new TypeError(`redact: text must be a string; got ${typeOf(text)}.`);
      }
      requireMarks(marks);
      let output = '';
      let copied = 0;
      for (const mark of quoteNumbers(text, mergeOverlaps(marks))) {
        output += text.slice(copied, mark.start) + replace(mark, text);
        copied = mark.end;
      }
      return output + text.slice(copied);
    },
    seal: (key) => tokens.seal(key),
    restorer: () => restorerOf(tokens.values()),
    forAnswers: () => redactorOf(shared, false),
  };
}

/** A key that could be guessed would tell which value a token stands for. */
const LEAST_KEY_BYTES = 16;

function requireKey(key: unknown): void {
  if (key === undefined) return;
  if (key instanceof Uint8Array && key.length >= LEAST_KEY_BYTES) return;
  const got = key instanceof Uint8Array ? `${key.length}` : typeOf(key);
  const expected = `at least ${LEAST_KEY_BYTES} bytes (a Uint8Array)`;
  throw new TypeError(`createRedactor: key must be ${expected}; got ${got}.`);
}

function requireStyle(name: string, style: unknown): void {
  if (STYLES.includes(style as RedactionStyle)) return;
  const got = typeof style === 'string' ? JSON.stringify(style.slice(0, 60)) : typeOf(style);
  const message = `createRedactor: ${name} must be one of ${STYLES.join(', ')}; got ${got}.`;
  throw new TypeError(message + didYouMean(style, STYLES));
}

/**
 * Refuses what marks no place.
 * @throws TypeError that names the member: `marks.0.start`
 */
export function requireMarks(marks: unknown): void {
  if (!Array.isArray(marks)) {
    throw new TypeError(`redact: marks must be a list of findings; got ${typeOf(marks)}.`);
  }
  for (const [index, mark] of marks.entries()) {
    const { type, score, start, end } = Object(mark) as Partial<RedactionMark>;
    const at = `marks.${index}`;
    if (typeof type !== 'string') throw wrongMark(`${at}.type`, 'a string', type);
    if (typeof score !== 'number') throw wrongMark(`${at}.score`, 'a number', score);
    if (!isPlace(start, 0)) throw wrongMark(`${at}.start`, 'a whole number from 0', start);
    if (!isPlace(end, start)) throw wrongMark(`${at}.end`, 'a whole number from its start', end);
  }
}

function isPlace(value: number | undefined, from = 0): boolean {
  return value !== undefined && Number.isInteger(value) && value >= from;
}

function wrongMark(name: string, expected: string, value: unknown): TypeError {
  const got = typeof value === 'number' ? value : typeOf(value);
  return new TypeError(`redact: ${name} must be ${expected}; got ${got}.`);
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
export function mergeOverlaps(marks: readonly RedactionMark[]): RedactionMark[] {
  const merged: RedactionMark[] = [];
  for (const mark of [...marks].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || mark.start >= last.end) {
      merged.push(mark);
      continue;
    }
    const { type, score } = mark.score > last.score ? mark : last;
    const end = Math.max(last.end, mark.end);
    const quote = last.quote ?? mark.quote;
    merged[merged.length - 1] = { type, score, start: last.start, end, quote };
  }
  return merged;
}
