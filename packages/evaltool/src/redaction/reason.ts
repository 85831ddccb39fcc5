import type { Steps } from '../steps.ts';
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
  let words: Map<string, number[]> | undefined;
  const recent: string[] = [];
  let units = 0;
  for (const text of texts) {
    if (text.length < WINDOW) {
      words ??= wordsOf(reason);
      for (const at of words.get(text) ?? []) removed.fill(1, at, at + text.length);
      // Found once, a text is removed everywhere.
      words.delete(text);
      units += SHORT_UNITS;
      if (units >= STEP) {
        units = 0;
        yield;
      }
      continue;
    }
    // The same prompt stands in several members.
    if (recent.includes(text)) continue;
    recent.push(text);
    if (recent.length > RECENT_TEXTS) recent.shift();
    for (let start = 0; start < text.length && !windows.isEmpty; start += STEP) {
      windows.find(text, start);
      units += Math.min(text.length - start, STEP);
      if (units < STEP) continue;
      units = 0;
      yield;
    }
  }
  windows.markFound(removed);
}

/** Positions of the parts too short for a window that stand between characters that are no letters or digits. */
function wordsOf(reason: string): Map<string, number[]> {
  const words = new Map<string, number[]>();
  if (isKnownReason(reason)) return words;
  const edges = edgesOf(reason);
  for (const [index, start] of edges.entries()) {
    for (let next = index + 1; next < edges.length; next += 1) {
      const end = edges[next] as number;
      if (end - start >= WINDOW) break;
      if (end - start < SHORTEST_TEXT) continue;
      const word = reason.slice(start, end);
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
