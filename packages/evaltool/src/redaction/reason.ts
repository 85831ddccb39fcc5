import type { Steps } from '../steps.ts';
import { isKnownReason } from './known-reasons.ts';
import { toPrintable } from './printable.ts';

/** Length in UTF-16 units from which a part that is shared with a prompt or output is removed. */
const SHARED_LENGTH = 8;

/** A whole text of this length or more, shorter than {@link SHARED_LENGTH}, is removed as a word. */
export const SHORTEST_TEXT = 4;

/** Longest reason that is kept. */
const MAX_KEPT = 1_000;

/** Longest reason that is looked at; more would not be kept. */
const MAX_READ = 4_000;

/** What stands for a part that is removed. */
const GAP = '…';

/** UTF-16 units that are compared between two steps. */
const STEP = 65_536;

/** UTF-16 units of a text that is compared once only. */
const MANY_WINDOWS = 64;

const WINDOW_SLOTS = 65_536;
const BASE = 0x01000193;
const BASE_TO_THE_8TH = power(BASE, SHARED_LENGTH);

/**
 * Removes from a reason what stands in double quotes and every part of {@link SHARED_LENGTH} units or
 * more that is also in one of the texts; each is replaced by an ellipsis.
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
  const windows = new Windows(reason);
  let words: ReadonlyMap<string, readonly number[]> | undefined;
  const seen = new Set<string>();
  let units = 0;
  for (const text of texts) {
    if (text.length < SHARED_LENGTH) {
      words ??= wordsOf(reason);
      for (const at of words.get(text) ?? []) removed.fill(1, at, at + text.length);
      continue;
    }
    // The same prompt stands in several members; short texts cost less than the look-up.
    if (text.length > MANY_WINDOWS && seen.has(text)) continue;
    if (text.length > MANY_WINDOWS) seen.add(text);
    for (let start = 0; start < text.length && !windows.isEmpty; start += STEP) {
      const end = Math.min(start + STEP, text.length);
      windows.removeFrom(text, start, end, removed);
      units += end - start;
      if (units < STEP) continue;
      units = 0;
      yield;
    }
  }
}

/** Positions of the parts too short for a window that stand between characters that are no letters or digits. */
function wordsOf(reason: string): Map<string, number[]> {
  const words = new Map<string, number[]>();
  if (isKnownReason(reason)) return words;
  const edges = edgesOf(reason);
  for (const [index, start] of edges.entries()) {
    for (let next = index + 1; next < edges.length; next += 1) {
      const end = edges[next] as number;
      if (end - start >= SHARED_LENGTH) break;
      if (end - start < SHORTEST_TEXT) continue;
      const word = reason.slice(start, end);
      words.set(word, [...(words.get(word) ?? []), start]);
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

/** The parts of a text of {@link SHARED_LENGTH} units, as they are found by a rolling hash. */
class Windows {
  readonly #positions = new Map<string, number[]>();
  /** How many windows have a hash of these 16 bits. */
  readonly #slots = new Uint16Array(WINDOW_SLOTS);

  constructor(text: string) {
    eachWindow(text, 0, text.length, (slot, at) => {
      const window = text.slice(at, at + SHARED_LENGTH);
      const positions = this.#positions.get(window);
      if (positions) {
        positions.push(at);
      } else {
        this.#positions.set(window, [at]);
        this.#slots[slot] = (this.#slots[slot] as number) + 1;
      }
    });
  }

  get isEmpty(): boolean {
    return this.#positions.size === 0;
  }

  /** Marks the windows that begin in a part of another text, each once. */
  removeFrom(text: string, start: number, end: number, removed: Uint8Array): void {
    const slots = this.#slots;
    eachWindow(text, start, end, (slot, at) => {
      if (slots[slot] === 0) return;
      const window = text.slice(at, at + SHARED_LENGTH);
      const positions = this.#positions.get(window);
      if (!positions) return;
      this.#positions.delete(window);
      slots[slot] = (slots[slot] as number) - 1;
      for (const position of positions) removed.fill(1, position, position + SHARED_LENGTH);
    });
  }
}

/** Calls with the slot and position of each window that begins in a part of a text. */
function eachWindow(
  text: string,
  start: number,
  end: number,
  call: (slot: number, at: number) => void,
): void {
  const last = Math.min(end + SHARED_LENGTH - 1, text.length);
  let hash = 0;
  for (let at = start; at < last; at += 1) {
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
    const from = at - SHARED_LENGTH + 1;
    if (from < start) continue;
    if (from > start) {
      hash = (hash - Math.imul(text.charCodeAt(from - 1), BASE_TO_THE_8TH)) | 0;
    }
    call(hash >>> 16, from);
  }
}

function power(base: number, exponent: number): number {
  return exponent === 0 ? 1 : Math.imul(base, power(base, exponent - 1));
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
