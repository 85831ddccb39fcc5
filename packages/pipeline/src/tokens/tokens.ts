import type { TextView } from '../text/text-view.ts';
import type { SplitBefore } from './overlap.ts';
import { tokenizeBehind } from './overlap.ts';
import type { FoldedForm, TokenRows } from './token-row.ts';
import {
  FOLDED_SHIFT,
  LENGTH_SHIFT,
  NARROW,
  NORMALIZED_SHIFT,
  ROW,
  WITH_FOLDED,
  WITH_PLACES,
} from './token-row.ts';
import { tokenize } from './tokenize.ts';

/** A text with the rows of the table that was made of it, and where in a row to find what is said of this text. */
export interface Tokens extends TokenRows {
  readonly text: string;
  /** The field of a row's start in this text. */
  readonly start: number;
  /** The field of its length, and by how many bits that is shifted. */
  readonly length: number;
  readonly lengthShift: number;
  /** The field of the hash of its word. */
  readonly word: number;
  /** By how many bits the group is shifted in the marks of a row. */
  readonly group: number;
}

const BEYOND_ASCII = /\P{ASCII}/u;

/** The tokens of a text in both of its forms. */
export interface TokenForms {
  readonly normalized: Tokens;
  /** The form whose hashes the models know. */
  readonly folded: Tokens;
  /** The rows of both. */
  readonly made: TokenRows;
}

/** The tokens of a text that is read as it is. */
export function tokensOfText(text: string): Tokens {
  return normalizedTokens(text, tokenize(text));
}

/** The tokens of a text that is read as it is, made at the first call. */
export function lazyTokens(text: string): () => Tokens {
  let made: Tokens | undefined;
  return () => {
    made ??= tokensOfText(text);
    return made;
  };
}

/** The tokens of a text by rows that were made of others, {@link NARROW} numbers each. */
export function tokensOfRows(text: string, rows: Int32Array): Tokens {
  return normalizedTokens(text, { rows, width: NARROW });
}

/**
 * The tokens of a text and of its folded form, by one pass. The folded form of ASCII is not looked at.
 *
 * @param folded of `normalized`, called where it is needed
 * @param start where the text begins in one that it is a part of
 * @param before a part of the same one that was split before and has words of this one
 */
export function tokensOfForms(
  normalized: TextView,
  folded: () => TextView,
  start = 0,
  before?: SplitBefore,
): TokenForms {
  const { text, edits } = normalized;
  const split = (form?: FoldedForm): TokenRows => {
    if (before === undefined) return tokenize(text, form);
    return tokenizeBehind(text, form, { start, edits, foldedEdits: form?.edits }, before);
  };
  if (!BEYOND_ASCII.test(text)) return new AsciiForms(text, split(), folded);
  const view = folded();
  const isSame = view === normalized;
  const made = split(isSame ? undefined : { text: view.text, edits: view.edits });
  const own = normalizedTokens(text, made);
  return { normalized: own, folded: isSame ? own : foldedTokens(view.text, made), made };
}

// A class: an accessor in an object literal costs every scan a hidden class of its own.
class AsciiForms implements TokenForms {
  readonly normalized: Tokens;
  readonly made: TokenRows;
  readonly #view: () => TextView;
  #folded: Tokens | undefined;

  constructor(text: string, made: TokenRows, view: () => TextView) {
    this.normalized = normalizedTokens(text, made);
    this.made = made;
    this.#view = view;
  }

  get folded(): Tokens {
    if (this.#folded === undefined) {
      const { text } = this.#view();
      const isSame = text === this.normalized.text;
      this.#folded = isSame ? this.normalized : foldedTokens(text, this.made);
    }
    return this.#folded;
  }
}

function normalizedTokens(text: string, { rows, width }: TokenRows): Tokens {
  return {
    text,
    rows,
    width,
    start: ROW.start,
    length: ROW.marks,
    lengthShift: LENGTH_SHIFT,
    word: ROW.word,
    group: NORMALIZED_SHIFT,
  };
}

function foldedTokens(text: string, { rows, width }: TokenRows): Tokens {
  const hasPlaces = width === WITH_PLACES;
  return {
    text,
    rows,
    width,
    start: hasPlaces ? ROW.foldedStart : ROW.start,
    length: hasPlaces ? ROW.foldedLength : ROW.marks,
    lengthShift: hasPlaces ? 0 : LENGTH_SHIFT,
    word: width >= WITH_FOLDED ? ROW.foldedWord : ROW.word,
    group: width === NARROW ? NORMALIZED_SHIFT : FOLDED_SHIFT,
  };
}

/** The first row that begins at a place or behind it; the end of the rows where there is none. */
export function firstRowFrom({ rows, width, start }: Tokens, place: number): number {
  let low = 0;
  let high = rows.length / width;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle * width + start] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low * width;
}
