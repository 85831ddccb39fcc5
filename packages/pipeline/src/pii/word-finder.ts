import type { TextRange } from '../types.ts';

/** A word of the dictionary in a text, with the bits of every list that has it. */
export interface FoundWord extends TextRange {
  readonly bits: number;
}

/** Lists of words parted by commas, `*` for any ending, a blank for a blank, dot, hyphen or underscore. */
export interface WordList {
  readonly bits: number;
  readonly words: readonly string[];
}

interface Entry {
  readonly bits: number;
  readonly pattern: RegExp;
}

const SEPARATORS = ' .-_';
const MARKS = /\p{M}/gu;
const NOT_ASCII = /\P{ASCII}/gu;

/**
 * Compiles a dictionary into a function that finds its words in a text, in order and without
 * overlaps, in time linear in the text: where a word begins, only the entries with the same first two
 * signs are tried, and the longest wins. Case and diacritics of the text do not matter.
 */
export function createWordFinder(lists: readonly WordList[]): (text: string) => FoundWord[] {
  const byOpening = compile(lists);
  return (text) => {
    const plain = toPlain(text);
    const found: FoundWord[] = [];
    for (let at = 0; at < plain.length; at++) {
      if (!isLetter(plain.charCodeAt(at)) || isWordSign(plain.charCodeAt(at - 1))) continue;
      const entries = byOpening.get(openingAt(plain, at));
      const word = entries === undefined ? undefined : longestAt(plain, at, entries);
      if (word === undefined) continue;
      found.push(word);
      at = word.end - 1;
    }
    return found;
  };
}

function longestAt(text: string, start: number, entries: readonly Entry[]): FoundWord | undefined {
  let bits = 0;
  let end = start;
  for (const entry of entries) {
    entry.pattern.lastIndex = start;
    if (!entry.pattern.test(text)) continue;
    bits |= entry.bits;
    end = Math.max(end, entry.pattern.lastIndex);
  }
  return bits === 0 ? undefined : { start, end, bits };
}

function compile(lists: readonly WordList[]): ReadonlyMap<number, readonly Entry[]> {
  const bitsOf = new Map<string, number>();
  for (const { bits, words } of lists) {
    for (const word of words.flatMap((list) => list.split(','))) {
      bitsOf.set(word, (bitsOf.get(word) ?? 0) | bits);
    }
  }
  const byOpening = new Map<number, Entry[]>();
  for (const [word, bits] of bitsOf) {
    const source = word.replaceAll(' ', '[ .\\-_]{1,2}').replaceAll('*', '[a-z]{0,24}');
    const entry = { bits, pattern: new RegExp(`${source}(?![a-z])`, 'y') };
    for (const opening of openingsOf(word)) {
      byOpening.set(opening, [...(byOpening.get(opening) ?? []), entry]);
    }
  }
  return byOpening;
}

function openingsOf(word: string): number[] {
  const seconds = word.charAt(1) === ' ' ? [...SEPARATORS] : [word.charAt(1)];
  return seconds.map((second) => openingAt(word.charAt(0) + second, 0));
}

function openingAt(text: string, at: number): number {
  return text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1);
}

/** Lower case without diacritics, character for character, so that offsets stay. */
function toPlain(text: string): string {
  return text
    .replace(NOT_ASCII, (char) => {
      const bare = char.normalize('NFD').replace(MARKS, '').toLowerCase();
      return bare.length === char.length ? bare : char;
    })
    .toLowerCase();
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isWordSign(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39);
}
