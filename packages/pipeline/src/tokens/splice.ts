import type { ChangedText } from '../text/changes.ts';
import { CHANGE } from '../text/changes.ts';
import { DIGIT, LETTER } from './characters.ts';
import {
  FOLDED_SHIFT,
  GROUP,
  LENGTH_SHIFT,
  MARKS,
  NARROW,
  NORMALIZED_SHIFT,
  ROW,
} from './token-row.ts';
import { tokenize } from './tokenize.ts';
import type { Tokens } from './tokens.ts';
import { tokensOfRows } from './tokens.ts';

/** What only a text before it was folded has. */
const FOLDED_AWAY = MARKS.capital | MARKS.capitals;
const BELOW_LENGTH = (1 << LENGTH_SHIFT) - 1;

/**
 * The tokens of a text that was made of another one by replacing parts of it. Rows that no change touches
 * are taken over; only the changed parts, up to the next place where no word goes on, are split.
 *
 * @param base the tokens of the text that it was made of
 */
export function spliceTokens(base: Tokens, changed: ChangedText): Tokens {
  return tokensOfRows(changed.text, new Splicer(base, changed).run());
}

class Splicer {
  readonly #base: Tokens;
  readonly #text: string;
  readonly #changes: Uint32Array;
  #rows: Int32Array;
  #used = 0;
  /** The first row that is not yet taken over. */
  #next = 0;
  /** How much further behind than in the other text what follows stands. */
  #shift = 0;

  constructor(base: Tokens, { text, changes }: ChangedText) {
    this.#base = base;
    this.#text = text;
    this.#changes = changes;
    this.#rows = new Int32Array((base.rows.length / base.width + 16) * NARROW);
  }

  run(): Int32Array {
    const changes = this.#changes;
    const { rows } = this.#base;
    for (let at = 0; at < changes.length; ) at = this.#replace(at);
    this.#take(rows.length);
    return this.#rows.subarray(0, this.#used);
  }

  /** Splits what a change touches, and further changes as far as they lie within; returns the next change. */
  #replace(change: number): number {
    const changes = this.#changes;
    const { rows, width } = this.#base;
    const start = changes[change + 2] as number;
    const first = this.#firstTouching(start);
    const from = first < rows.length ? Math.min(start, this.#startOf(first)) : start;
    const before = this.#shift;
    this.#take(first);
    let at = change;
    let last = first;
    let to = from;
    // A change that lies in the words that another one touches is of the same part.
    while (at < changes.length && (at === change || (changes[at + 2] as number) <= to)) {
      const end = (changes[at + 2] as number) + (changes[at + 3] as number);
      this.#shift = (changes[at] as number) + (changes[at + 1] as number) - end;
      at += CHANGE;
      while (last < rows.length && (this.#startOf(last) <= end || this.#goesOn(last)))
        last += width;
      to = Math.max(to, end, last > first ? this.#endOf(last - width) : 0);
    }
    this.#next = last;
    this.#split(from + before, to + this.#shift);
    return at;
  }

  /** The first row that a word may be in which stands at or right before a place. */
  #firstTouching(place: number): number {
    const { rows, width } = this.#base;
    let row = this.#next;
    while (row < rows.length && this.#endOf(row) < place) row += width;
    while (row > this.#next && row < rows.length && this.#goesOn(row)) row -= width;
    return row;
  }

  /** Whether a word of the other text may go on from before a row into it. */
  #goesOn(row: number): boolean {
    const { rows, width, group } = this.#base;
    let before = row - width;
    while (before >= 0 && this.#sizeOf(before) === 0) before -= width;
    if (before < 0 || this.#endOf(before) < this.#startOf(row)) return false;
    const marks = rows[before + ROW.marks] as number;
    const kind = marks & MARKS.kind;
    const of = (marks >> group) & 3;
    return kind === LETTER || kind === DIGIT || of === GROUP.letters || of === GROUP.digits;
  }

  /** Takes over the rows before one. */
  #take(end: number): void {
    const { rows, width, word, group } = this.#base;
    this.#reserve((end - this.#next) / width);
    const to = this.#rows;
    let used = this.#used;
    for (let row = this.#next; row < end; row += width) {
      const size = this.#sizeOf(row);
      if (size === 0) continue;
      let marks = (rows[row + ROW.marks] as number) & BELOW_LENGTH;
      if (group === FOLDED_SHIFT) {
        const of = (marks >> group) & 3;
        marks &= ~(FOLDED_AWAY | (3 << NORMALIZED_SHIFT));
        marks |= of << NORMALIZED_SHIFT;
      }
      to[used] = this.#startOf(row) + this.#shift;
      to[used + ROW.marks] = marks | (size << LENGTH_SHIFT);
      to[used + ROW.word] = rows[row + word] as number;
      to[used + ROW.hash] = rows[row + ROW.hash] as number;
      to[used + ROW.check] = rows[row + ROW.check] as number;
      used += NARROW;
    }
    this.#used = used;
    this.#next = end;
  }

  /** Adds the rows of a part of the text. */
  #split(from: number, to: number): void {
    const { rows } = tokenize(this.#text.slice(from, to));
    this.#reserve(rows.length / NARROW);
    this.#rows.set(rows, this.#used);
    for (let row = 0; row < rows.length; row += NARROW) {
      const at = this.#used + row;
      this.#rows[at] = (this.#rows[at] as number) + from;
    }
    this.#used += rows.length;
  }

  #reserve(count: number): void {
    const needed = this.#used + count * NARROW;
    if (needed <= this.#rows.length) return;
    const grown = new Int32Array(needed * 2);
    grown.set(this.#rows.subarray(0, this.#used));
    this.#rows = grown;
  }

  #startOf(row: number): number {
    const { rows, start } = this.#base;
    return rows[row + start] as number;
  }

  #sizeOf(row: number): number {
    const { rows, length, lengthShift } = this.#base;
    return (rows[row + length] as number) >>> lengthShift;
  }

  #endOf(row: number): number {
    return this.#startOf(row) + this.#sizeOf(row);
  }
}
