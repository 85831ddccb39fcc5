import { CODE_LENGTH } from './token-form.ts';
import { patternsOf, plainForm, valueFor, writingOf } from './token-writings.ts';
import type { HeldTokens } from './tokens.ts';

/** Puts values back in place of their tokens. */
export interface TokenRestorer {
  /** See `restoreTokens`. */
  restore(text: string): string;
  /** The same for a text that comes in parts, such as a streamed answer. */
  open(): RestoredText;
}

/** A text that comes in parts, in which values are put back in place of their tokens wherever it is cut. */
export interface RestoredText {
  /** Takes the next part, and gives what is settled: all but the beginning of what may become a token. */
  feed(text: string): string;
  /** Gives the rest. */
  end(): string;
}

/** The forms of some tokens. */
interface TokenForms {
  /**
   * A whole token; its groups are `bracketed` or `bare`, and the quotation marks around it, `opening` and `closing`,
   * where there are tokens of numbers.
   */
  readonly whole: RegExp;
  /** The beginning of a token, or one that may go on, at the end of a text. */
  readonly begun: RegExp;
  /** UTF-16 units of the longest beginning. */
  readonly longest: number;
  /** What a match of `whole` stands for; the match itself where it is no token. */
  valueOf(match: RegExpMatchArray): string;
}

/** @param held values by their tokens, without brackets */
export function restorerOf(held: HeldTokens): TokenRestorer {
  if (held.values.size === 0) return NOTHING;
  const forms = formsOf(held);
  return {
    restore: (text) => restoreFrom(forms, text, 0),
    open: () => openText(forms),
  };
}

const NOTHING: TokenRestorer = {
  restore: (text) => text,
  open: () => ({ feed: (text) => text, end: () => '' }),
};

function formsOf({ values: held, numbers }: HeldTokens): TokenForms {
  const values = new Map([...held].map(([token, value]) => [plainForm(token), value]));
  const names = [...new Set([...held.keys()].map((token) => token.slice(0, -CODE_LENGTH)))];
  const ofNumbers = new Set([...numbers].filter((token) => held.has(token)).map(plainForm));
  return {
    ...patternsOf(
      names.map((name) => writingOf(name.toUpperCase())),
      ofNumbers.size > 0,
    ),
    valueOf(match) {
      const { opening = '', bracketed, bare, closing = '' } = match.groups ?? {};
      const token = plainForm(bracketed ?? bare ?? '');
      const value = values.get(token);
      if (value === undefined) return match[0];
      if (opening !== '' && opening === closing && ofNumbers.has(token)) return value;
      const written = match[0].slice(opening.length, match[0].length - closing.length);
      return opening + valueFor(written, value) + closing;
    },
  };
}

/** The text from `start` on, with values in place of tokens. */
function restoreFrom(forms: TokenForms, text: string, start: number): string {
  let output = '';
  let copied = start;
  for (const match of matchesFrom(forms.whole, text, start)) {
    output += text.slice(copied, match.index) + forms.valueOf(match);
    copied = match.index + match[0].length;
  }
  return output + text.slice(copied);
}

function openText(forms: TokenForms): RestoredText {
  // What is not given yet, and the character before it, which tells whether a token begins there.
  let tail = '';
  let start = 0;
  return {
    feed(text) {
      tail += text;
      // The second half of a pair tells whether it is a letter.
      const end = endsInPair(tail) ? tail.length - 1 : tail.length;
      const { output, settled } = settle(forms, tail.slice(0, end), start);
      const kept = Math.max(0, settled - 2);
      tail = tail.slice(kept);
      start = settled - kept;
      return output;
    },
    end() {
      const rest = restoreFrom(forms, tail, start);
      tail = '';
      start = 0;
      return rest;
    },
  };
}

/** What can be said of a text that goes on, from `start` on, and up to where. */
function settle(forms: TokenForms, text: string, start: number) {
  let output = '';
  let at = start;
  for (;;) {
    const open = begunIn(forms, text, at);
    const [match] = matchesFrom(forms.whole, text, at);
    if (match === undefined || match.index >= open) {
      return { output: output + text.slice(at, open), settled: open };
    }
    output += text.slice(at, match.index) + forms.valueOf(match);
    at = match.index + match[0].length;
  }
}

/** Where the beginning of what may become a token stands at the end of a text; its length without one. */
function begunIn({ begun, longest }: TokenForms, text: string, start: number): number {
  const [match] = matchesFrom(begun, text, Math.max(start, text.length - longest));
  return match?.index ?? text.length;
}

function* matchesFrom(pattern: RegExp, text: string, start: number): Generator<RegExpExecArray> {
  let at = start;
  for (;;) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return;
    at = match.index + match[0].length;
    yield match;
  }
}

function endsInPair(text: string): boolean {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code <= 0xdbff;
}
