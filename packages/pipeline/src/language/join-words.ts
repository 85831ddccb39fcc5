import { GROUP, MARKS, ROW } from '../tokens/token-row.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { finishHash, hashOfRun } from '../tokens/word-hash.ts';

/** What stood between a word and the one before it; bits of `gap`. */
export const GAP = Object.freeze({
  /** A full stop, exclamation or question mark followed by a blank or a closing sign. */
  stop: 1,
  question: 2,
  line: 4,
  paragraph: 8,
  /** A comma, semicolon, colon, bracket or dash. */
  pause: 16,
  bullet: 32,
});

/** What the letters of a word look like; bits of `shape`. */
export const SHAPE = Object.freeze({
  capital: 1,
  digit: 2,
  /** More than one letter, all of them capital. */
  allCapitals: 4,
  /** A percent sign follows or a currency sign precedes. */
  percent: 8,
  currency: 16,
  letter: 32,
});

/** Takes one word: hash of its lower-case form, half-open range, and the bits of GAP and SHAPE. */
export type VisitWord = (
  hash: number,
  start: number,
  end: number,
  shape: number,
  gap: number,
) => void;

function gapOf(code: number, gap: number, text: string, at: number): number {
  switch (code) {
    case 0x0a:
      return (gap & GAP.line) !== 0 ? gap | GAP.paragraph : gap | GAP.line;
    case 0x2e:
    case 0x21:
    case 0x3f: {
      const next = text.charCodeAt(at + 1);
      const ends = !(next > 32) || next === 0x22 || next === 0x27 || next === 0x29 || next === 0x5d;
      const mark = code === 0x3f ? GAP.question : 0;
      return ends || code !== 0x2e ? gap | GAP.stop | mark : gap;
    }
    case 0x2a:
    case 0x2022:
      return gap | GAP.bullet;
    case 0x2d:
      return (gap & GAP.line) !== 0 ? gap | GAP.bullet : gap | GAP.pause;
    case 0x2c:
    case 0x3a:
    case 0x3b:
    case 0x28:
    case 0x29:
      return gap | GAP.pause;
    case 0x3002:
    case 0x2026:
      return gap | GAP.stop;
    default:
      return gap;
  }
}

const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const STOP = 0x2e;
const COLON = 0x3a;
const PERCENT = 0x25;

/**
 * Joins the tokens of a text to words: letters and digits that touch, with inner apostrophes between
 * letters and inner separators between digits. Linear; returns the bits of the gap behind the last word.
 */
export function eachWord(tokens: Tokens, visit: VisitWord): number {
  return new WordJoiner(tokens, visit).run();
}

class WordJoiner {
  readonly #tokens: Tokens;
  readonly #visit: VisitWord;
  /** The row at hand. */
  #row = 0;
  #gap: number = GAP.line | GAP.paragraph;

  constructor(tokens: Tokens, visit: VisitWord) {
    this.#tokens = tokens;
    this.#visit = visit;
  }

  run(): number {
    const { text, rows, width, start, length, lengthShift, word, group } = this.#tokens;
    while (this.#row < rows.length) {
      const row = this.#row;
      const marks = rows[row + ROW.marks] as number;
      const kind = (marks >> group) & 3;
      const from = rows[row + start] as number;
      const end = from + ((rows[row + length] as number) >>> lengthShift);
      if (kind === GROUP.sign) {
        if (end > from) this.#gap = gapOf(text.charCodeAt(from), this.#gap, text, from);
        this.#row += width;
        continue;
      }
      const next = row + width;
      if (kind === GROUP.wide || next >= rows.length || (rows[next + start] as number) > end) {
        const size = kind === GROUP.wide ? 0 : end - from;
        const shape = shapeOf(text, kind, marks, size, from, end);
        this.#visit(finishHash(rows[row + word] as number), from, end, shape, this.#gap);
        this.#row = next;
      } else this.#join(kind);
      this.#gap = 0;
    }
    return this.#gap;
  }

  /** Takes a word that may go on in the rows behind its first. */
  #join(kind: number): void {
    const { text, rows, start, length, lengthShift, word } = this.#tokens;
    const first = this.#row;
    const from = rows[first + start] as number;
    let end = from;
    let hash = 0;
    let isWhole = true;
    let all = 0;
    let capitals = 0;
    let isCapital = true;
    for (;;) {
      const row = this.#row;
      const size = (rows[row + length] as number) >>> lengthShift;
      const marks = rows[row + ROW.marks] as number;
      hash = isWhole ? (rows[row + word] as number) : hashOfRun(text, end, end + size, hash);
      end += size;
      all |= marks;
      if ((marks & MARKS.capitals) !== 0) capitals += size;
      else if ((marks & MARKS.letters) !== 0) isCapital = false;
      this.#row = this.#next(row);
      if (this.#isWordAt(this.#row, end)) continue;
      const joined = this.#joined(this.#row, end, kind === GROUP.digits);
      if (joined < 0) break;
      // The rows of a run know its hash from where the run began.
      hash = hashOfRun(text, end, end + 1, hash);
      isWhole = false;
      this.#row = joined;
      end++;
    }
    const opening = (rows[first + ROW.marks] as number) & MARKS.capital;
    const marks = opening | (all & MARKS.letters) | (isCapital ? all & MARKS.capitals : 0);
    const shape = shapeOf(text, kind, marks, capitals, from, end);
    this.#visit(finishHash(hash), from, end, shape, this.#gap);
  }

  /** The next row that has anything in this text. */
  #next(row: number): number {
    const { rows, width, length, lengthShift } = this.#tokens;
    let next = row + width;
    while (next < rows.length && (rows[next + length] as number) >>> lengthShift === 0) {
      next += width;
    }
    return next;
  }

  /** Whether a row of letters or digits begins at a place. */
  #isWordAt(row: number, at: number): boolean {
    const { rows, start, group } = this.#tokens;
    if (row >= rows.length || rows[row + start] !== at) return false;
    const kind = ((rows[row + ROW.marks] as number) >> group) & 3;
    return kind === GROUP.letters || kind === GROUP.digits;
  }

  /** The row behind an apostrophe or separator that belongs to the word; -1 where there is none. */
  #joined(row: number, at: number, digits: boolean): number {
    const { text, rows, start, group } = this.#tokens;
    if (row >= rows.length || rows[row + start] !== at) return -1;
    const code = text.charCodeAt(at);
    const joins = digits ? code === COMMA || code === STOP || code === COLON : code === APOSTROPHE;
    if (!joins) return -1;
    const next = this.#next(row);
    if (next >= rows.length || rows[next + start] !== at + 1) return -1;
    const kind = ((rows[next + ROW.marks] as number) >> group) & 3;
    return kind === (digits ? GROUP.digits : GROUP.letters) ? next : -1;
  }
}

/** @param capitals how many capitals there are where all letters are */
function shapeOf(
  text: string,
  kind: number,
  marks: number,
  capitals: number,
  from: number,
  end: number,
): number {
  let shape = kind === GROUP.wide ? SHAPE.letter : 0;
  if ((marks & MARKS.capital) !== 0) shape |= SHAPE.capital;
  if ((marks & MARKS.letters) !== 0) shape |= SHAPE.letter;
  if ((marks & MARKS.capitals) !== 0 && capitals > 1) shape |= SHAPE.allCapitals;
  if (text.charCodeAt(end) === PERCENT) shape |= SHAPE.percent;
  if (kind !== GROUP.digits) return shape;
  const isPrice = from > 0 && isCurrency(text.charCodeAt(from - 1));
  return shape | SHAPE.digit | (isPrice ? SHAPE.currency : 0);
}

function isCurrency(code: number): boolean {
  return code === 0x24 || code === 0xa3 || code === 0x20ac || code === 0xa5;
}
