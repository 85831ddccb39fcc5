import type { Steps } from '../steps.ts';
import type { Folded } from './folding.ts';
import { fold, foldWithPlaces, isFoldable, mayShrink, PART, partAt } from './folding.ts';
import { isKnownReason } from './known-reasons.ts';
import { toPrintable } from './printable.ts';
import { STEP, WINDOW, Windows } from './windows.ts';

/** A whole text of this length or more, shorter than {@link WINDOW}, is removed as a word. */
export const SHORTEST_TEXT = 4;

/** Longest reason that is kept. */
const MAX_KEPT = 1_000;

/** Longest reason that is looked at; more would not be kept. */
const MAX_READ = 4_000;

/** What stands for a part that is removed. */
const GAP = '…';

/** What looking up a text that is shorter than {@link WINDOW} counts for, in units. */
const SHORT_UNITS = 16;

/** Texts that are compared once when they stand next to each other. */
const RECENT_TEXTS = 8;

/**
 * Removes from a reason what stands in double quotes and every part of {@link WINDOW} units or
 * more that is also in one of the texts, in whatever case, normal form and escapes; each is replaced by an
 * ellipsis.
 * @param texts null when the texts are not known: then only reasons whose wording is the tool's own are kept
 * @returns at most 1,000 characters; null when nothing is left
 */
export function* redactReason(
  reason: string,
  texts: Iterable<string> | null,
): Steps<string | null> {
  const read = reason.slice(0, MAX_READ);
  const removed = new Uint8Array(read.length);
  removeQuoted(read, removed);
  if (texts) yield* removeShared(read, removed, texts);
  const kept = toPrintable(withGaps(read, removed)).trim().slice(0, MAX_KEPT).toWellFormed();
  if (!/[\p{L}\p{N}]/u.test(kept)) return null;
  return texts || isKnownReason(kept) ? kept : null;
}

/**
 * A reason that has been redacted before, without what stands in double quotes; redacting twice
 * changes nothing.
 */
export function* redactAgain(reason: string): Steps<string | null> {
  return yield* redactReason(reason, []);
}

/** An opening quote without a closing one removes the rest. */
function removeQuoted(text: string, removed: Uint8Array): void {
  for (const { index, 0: quoted } of text.matchAll(/"[^"]*(?:"|$)|“[^”]*(?:”|$)/g)) {
    removed.fill(1, index, index + quoted.length);
  }
}

function* removeShared(reason: string, removed: Uint8Array, texts: Iterable<string>): Steps<void> {
  const shared = new SharedParts(reason, removed);
  const recent: string[] = [];
  let units = 0;
  for (const text of texts) {
    const isShort = text.length < WINDOW;
    // The same prompt stands in several members.
    if (!isShort && recent.includes(text)) continue;
    if (isShort) units += SHORT_UNITS;
    else if (recent.push(text) > RECENT_TEXTS) recent.shift();
    for (let start = 0; start < text.length; start += PART) {
      units += shared.find(text, start);
      if (units < STEP) continue;
      units = 0;
      yield;
    }
  }
  shared.mark();
}

/** Finds what a reason shares with texts, in whatever case, normal form and escapes. */
class SharedParts {
  readonly #reason: string;
  readonly #removed: Uint8Array;
  readonly #windows: Windows;
  readonly #isFoldable: boolean;
  #folded: Folded | undefined;
  #foldedWindows: Windows | undefined;
  #words: Map<string, number[]> | undefined;

  constructor(reason: string, removed: Uint8Array) {
    this.#reason = reason;
    this.#removed = removed;
    this.#windows = new Windows(reason);
    this.#isFoldable = isFoldable(reason) || /\s\s|[\r\t]/.test(reason);
  }

  /** Looks at {@link PART} units of a text from `start` on; returns their number. */
  find(text: string, start: number): number {
    if (text.length < WINDOW) this.#findWord(fold(text));
    const units = Math.min(text.length - start, PART);
    const slice = partAt(text, start);
    const isPlain = !isFoldable(slice);
    // Most texts have no part that is shorter when it is folded: their windows are among those of the folded form.
    if (isPlain || mayShrink(slice)) this.#windows.find(text, start, PART);
    if (!this.#isFoldable && isPlain) return units;
    // Windows are found without regard to case, so that a plain text need not be folded.
    const other = isPlain ? slice : fold(slice);
    if (other.length < WINDOW) this.#findWord(other);
    const windows = this.#windowsOfFolded();
    windows.findAll(other);
    return units + other.length;
  }

  #findWord(word: string): void {
    this.#words ??= wordsOf(this.#foldedReason(), isKnownReason(this.#reason));
    for (const at of this.#words.get(word) ?? []) this.#remove(at, at + word.length);
    // Found once, a text is removed everywhere.
    this.#words.delete(word);
  }

  #windowsOfFolded(): Windows {
    this.#foldedWindows ??= new Windows(this.#foldedReason().text);
    return this.#foldedWindows;
  }

  #foldedReason(): Folded {
    this.#folded ??= foldWithPlaces(this.#reason);
    return this.#folded;
  }

  /** Removes what units of the folded reason stand for. */
  #remove(from: number, to: number): void {
    const { starts, ends } = this.#foldedReason();
    this.#removed.fill(1, starts[from], ends[to - 1]);
  }

  /** Marks what has been found. */
  mark(): void {
    this.#windows.markFound(this.#removed);
    if (!this.#foldedWindows) return;
    const marks = new Uint8Array(this.#foldedReason().text.length);
    this.#foldedWindows.markFound(marks);
    for (const [at, mark] of marks.entries()) if (mark === 1) this.#remove(at, at + 1);
  }
}

/** Positions of the parts too short for a window that stand between characters that are no letters or digits. */
function wordsOf({ text }: Folded, isKnown: boolean): Map<string, number[]> {
  const words = new Map<string, number[]>();
  if (isKnown) return words;
  const edges = edgesOf(text);
  for (const [index, start] of edges.entries()) {
    for (let next = index + 1; next < edges.length; next += 1) {
      const end = edges[next] as number;
      if (end - start >= WINDOW) break;
      if (end - start < SHORTEST_TEXT) continue;
      const word = text.slice(start, end);
      const starts = words.get(word);
      if (starts) starts.push(start);
      else words.set(word, [start]);
    }
  }
  return words;
}

/** Positions where a word of letters and digits begins or ends. */
function edgesOf(text: string): number[] {
  const edges: number[] = [];
  let wasInWord = false;
  for (let at = 0; at <= text.length; at += 1) {
    const isInWord = at < text.length && isWordUnit(text.charCodeAt(at));
    if (isInWord !== wasInWord) edges.push(at);
    wasInWord = isInWord;
  }
  return edges;
}

/** Whether a unit is a letter or digit of ASCII, or no ASCII. */
function isWordUnit(unit: number): boolean {
  if (unit >= 0x80) return true;
  const lower = unit | 0x20;
  return (unit >= 0x30 && unit <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}

function withGaps(text: string, removed: Uint8Array): string {
  let kept = '';
  let start = 0;
  while (start < text.length) {
    let end = start;
    while (end < text.length && removed[end] === removed[start]) end += 1;
    kept += removed[start] === 1 ? GAP : text.slice(start, end);
    start = end;
  }
  return kept;
}
