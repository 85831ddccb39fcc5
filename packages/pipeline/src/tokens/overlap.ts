import { CHANGE } from '../text/changes.ts';
import type { FoldedForm, TokenRows } from './token-row.ts';
import { LENGTH_SHIFT, NARROW, ROW, WITH_FOLDED, WITH_PLACES } from './token-row.ts';
import { tokenize } from './tokenize.ts';

/** A part of a text in the forms that are split. */
export interface SplitPart {
  /** Where the part begins in the text. */
  readonly start: number;
  /** The changes of length that made the normalized form; undefined where there are none. */
  readonly edits: Uint32Array | undefined;
  /** Those that made the folded form of it. */
  readonly foldedEdits: Uint32Array | undefined;
}

/** A part that was split before, and the places of the text between which another one has the same words. */
export interface SplitBefore extends SplitPart {
  readonly made: TokenRows;
  readonly from: number;
  readonly to: number;
}

const BLANK = 0x20;
const NEWLINE = 0x0a;
const TILDE = 0x7e;

/**
 * The places in [from, to) between which two parts of a text that meet there have the same words: the first
 * and the last one at which a sign of ASCII stands behind a blank. What is before such a place changes nothing
 * behind it, in normalizing, folding and splitting. Undefined where there are not two.
 */
export function wordsBetween(
  text: string,
  from: number,
  to: number,
): { readonly from: number; readonly to: number } | undefined {
  let first = from + 1;
  while (first < to && !beginsAfresh(text, first)) first++;
  let last = to - 1;
  while (last > first && !beginsAfresh(text, last)) last--;
  return first < last ? { from: first, to: last } : undefined;
}

function beginsAfresh(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before !== BLANK && before !== NEWLINE) return false;
  const code = text.charCodeAt(at);
  return code > BLANK && code <= TILDE;
}

/**
 * The rows of a part of a text as `tokenize` makes them; those of words that a part before has as well are taken
 * over from there.
 */
export function tokenizeBehind(
  text: string,
  folded: FoldedForm | undefined,
  part: SplitPart,
  before: SplitBefore,
): TokenRows {
  const [from, foldedFrom] = placesIn(part, before.from);
  const [to, foldedTo] = placesIn(part, before.to);
  const head = tokenize(text.slice(0, from), formOf(folded, 0, from, 0, foldedFrom));
  const tail = tokenize(
    text.slice(to),
    formOf(folded, to, text.length, foldedTo, folded?.text.length ?? 0),
  );
  const taken = takeRows(before, head.width, from, foldedFrom);
  const rows = new Int32Array(head.rows.length + taken.length + tail.rows.length);
  rows.set(head.rows);
  rows.set(taken, head.rows.length);
  const last = head.rows.length + taken.length;
  rows.set(tail.rows, last);
  for (let row = last; row < rows.length; row += tail.width) {
    rows[row] = (rows[row] as number) + to;
    if (tail.width === WITH_PLACES) {
      rows[row + ROW.foldedStart] = (rows[row + ROW.foldedStart] as number) + foldedTo;
    }
  }
  return { rows, width: head.width };
}

/** Where a place of the text is in the normalized and in the folded form of a part. */
function placesIn({ start, edits, foldedEdits }: SplitPart, place: number): [number, number] {
  const normalized = placeAfter(edits, place - start);
  return [normalized, placeAfter(foldedEdits, normalized)];
}

/** Where a place is that lies in none of the changes, after them. */
function placeAfter(edits: Uint32Array | undefined, place: number): number {
  if (edits === undefined) return place;
  const at = firstEditFrom(edits, place) - CHANGE;
  if (at < 0) return place;
  const [start, length] = [edits[at] as number, edits[at + 1] as number];
  return place - (edits[at + 2] as number) - (edits[at + 3] as number) + start + length;
}

/** The first change of what stands at a place or behind it. */
function firstEditFrom(edits: Uint32Array, place: number): number {
  let low = 0;
  let high = edits.length / CHANGE;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edits[middle * CHANGE + 2] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low * CHANGE;
}

function formOf(
  folded: FoldedForm | undefined,
  from: number,
  to: number,
  foldedFrom: number,
  foldedTo: number,
): FoldedForm | undefined {
  if (folded === undefined) return undefined;
  const { edits } = folded;
  const text = folded.text.slice(foldedFrom, foldedTo);
  if (edits === undefined) return { text, edits };
  const own = edits.slice(firstEditFrom(edits, from), firstEditFrom(edits, to));
  for (let at = 0; at < own.length; at += CHANGE) {
    own[at] = (own[at] as number) - foldedFrom;
    own[at + 2] = (own[at + 2] as number) - from;
  }
  return { text, edits: own };
}

/** The rows between the two places, `width` numbers each, with the first one at `at`. */
function takeRows(before: SplitBefore, width: number, at: number, foldedAt: number): Int32Array {
  const { rows, width: others } = before.made;
  const [from, foldedFrom] = placesIn(before, before.from);
  const [to] = placesIn(before, before.to);
  const first = firstRow(before.made, from);
  const end = firstRow(before.made, to);
  const taken = new Int32Array(((end - first) / others) * width);
  for (let row = first, own = 0; row < end; row += others, own += width) {
    for (let field = 0; field < NARROW; field++) taken[own + field] = rows[row + field] as number;
    const start = rows[row] as number;
    taken[own] = start - from + at;
    if (width === NARROW) continue;
    const word = others === NARROW ? ROW.word : ROW.foldedWord;
    taken[own + ROW.foldedWord] = rows[row + word] as number;
    if (width === WITH_FOLDED) continue;
    const hasPlaces = others === WITH_PLACES;
    const foldedStart = hasPlaces ? (rows[row + ROW.foldedStart] as number) : start;
    taken[own + ROW.foldedStart] = foldedStart - foldedFrom + foldedAt;
    taken[own + ROW.foldedLength] = hasPlaces
      ? (rows[row + ROW.foldedLength] as number)
      : (rows[row + ROW.marks] as number) >>> LENGTH_SHIFT;
  }
  return taken;
}

function firstRow({ rows, width }: TokenRows, place: number): number {
  let low = 0;
  let high = rows.length / width;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle * width] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low * width;
}
