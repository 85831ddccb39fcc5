/**
 * The fields of a row of a token table. A row is a run of letters, a run of digits, a sign, or a line
 * break; other blanks have none. A run may be in several rows: hashes go on from row to row, so that the
 * last row of a run has that of the whole run.
 */
export const ROW = Object.freeze({
  /** Where it begins in the normalized text. */
  start: 0,
  /** The bits of {@link MARKS}, and above them the length in the normalized text. */
  marks: 1,
  /** The hash of the word so far in lower case, see `hashOfRun`. */
  word: 2,
  /** The hash that the models know the run by so far; of a sign the unit itself. */
  hash: 3,
  /** A second hash of a run of letters. */
  check: 4,
  /** `word` of the folded text; only where a table has one of its own. */
  foldedWord: 5,
  /** Where it begins in the folded text; only where its places differ. */
  foldedStart: 6,
  foldedLength: 7,
});

/** Fields of a row of a text that is folded unit by unit to the same words. */
export const NARROW = 5;
/** With the hashes of the folded words. */
export const WITH_FOLDED = 6;
/** With the places in the folded text as well. */
export const WITH_PLACES = 8;

/** What a row consists of; bits and groups of bits. */
export const MARKS = Object.freeze({
  /** What the folded text has: BLANK, LETTER, DIGIT, MARK or IDEOGRAPH of `characters.ts`. */
  kind: 0b111,
  lineBreak: 1 << 3,
  /** The run of letters or digits in the folded text began in a row before. */
  goesOn: 1 << 4,
  /** The run, up to here, has letters of ASCII alone in the folded text. */
  isAscii: 1 << 5,
  /** The first letter is a capital. */
  capital: 1 << 6,
  /** There is a letter, or a digit beyond ASCII. */
  letters: 1 << 7,
  /** All of these are capital letters. */
  capitals: 1 << 8,
  /** A word of a dictionary may begin within: behind a small letter, or in another script. */
  opensWithin: 1 << 9,
  /** In the folded text it is of letters and numbers alone: no sign, and no mark that goes with a letter. */
  plain: 1 << 10,
});

/** What a row is among words: by the normalized text, and by the folded one. */
export const NORMALIZED_SHIFT = 11;
export const FOLDED_SHIFT = 13;
export const LENGTH_SHIFT = 15;
/** Longer runs are in several rows. */
export const MAX_LENGTH = 2 ** (32 - LENGTH_SHIFT) - 1;

/** What a row is among words. */
export const GROUP = Object.freeze({ sign: 0, letters: 1, digits: 2, wide: 3 });

/** The rows of a text, `width` numbers each; see {@link ROW}. */
export interface TokenRows {
  readonly rows: Int32Array;
  readonly width: number;
}

/** A folded text, and the changes of length that made it, four numbers each, as a view has them. */
export interface FoldedForm {
  readonly text: string;
  readonly edits: Uint32Array | undefined;
}
