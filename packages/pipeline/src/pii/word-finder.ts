import { GROUP, LENGTH_SHIFT, MARKS, ROW } from '../tokens/token-row.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { firstRowFrom } from '../tokens/tokens.ts';
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
  /** The letters before the first blank or `*`, looked for first: most entries fail there. */
  readonly head: string;
  /** What follows the head; undefined where nothing does. */
  readonly rest: RegExp | undefined;
}

const SEPARATORS = ' .-_';
const DIACRITICS = /\p{M}/gu;
/** Places for what entries begin with; most words of a text begin with none of it. A power of two. */
const OPENINGS = 1 << 13;
const NOT_ASCII = /\P{ASCII}/gu;
/** The first letter of Greek; Latin letters come before it. */
const FIRST_OTHER = 0x370;
/** The last letter of Cyrillic; up to here words have blanks between them. */
const LAST_SPACED = 0x52f;

/**
 * Finds the words of a dictionary in a text, given by its tokens.
 *
 * @param from only words that begin here or behind, ...
 * @param to ... and end here or before
 */
export type FindWords = (tokens: Tokens, from?: number, to?: number) => FoundWord[];

/**
 * Compiles a dictionary into a function that finds its words in a text, given by its tokens, in order and
 * without overlaps, in time linear in the text: where a word begins, only the entries with the same first
 * two signs are tried, and the longest wins. Case and diacritics of the text do not matter. A word begins
 * after anything but a letter or digit, at a capital within `camelCase`, or, in scripts that write
 * without blanks, anywhere.
 */
export function createWordFinder(lists: readonly WordList[]): FindWords {
  const byOpening = compile(lists);
  const openings = new Uint8Array(OPENINGS);
  for (const opening of byOpening.keys()) openings[placeOf(opening)] = 1;
  return (tokens, least = 0, most = tokens.text.length) => {
    const { rows, width, start, group } = tokens;
    // With the unit before, which decides whether a word begins.
    const cut = Math.max(0, least - 1);
    const text = tokens.text.slice(cut, most);
    const plain = toPlain(text);
    const found: FoundWord[] = [];
    let behind = least - cut;
    // The row before may go on beyond its beginning.
    const first = Math.max(0, firstRowFrom(tokens, least) - width);
    for (let row = first; row < rows.length; row += width) {
      if ((rows[row + start] as number) >= most) break;
      const marks = rows[row + ROW.marks] as number;
      const within = (marks & MARKS.opensWithin) !== 0;
      if (!within && ((marks >> group) & 3) !== GROUP.letters) continue;
      const from = (rows[row + start] as number) - cut;
      const last = Math.min(text.length, within ? from + (marks >>> LENGTH_SHIFT) : from + 1);
      for (let at = Math.max(from, behind); at < last; at++) {
        if (!mayBegin(text, plain, at)) continue;
        const opening = openingAt(plain, at);
        if (openings[placeOf(opening)] === 0) continue;
        const entries = byOpening.get(opening);
        const word = entries === undefined ? undefined : longestAt(plain, at, entries);
        if (word === undefined) continue;
        found.push({ ...word, start: word.start + cut, end: word.end + cut });
        behind = word.end;
        at = behind - 1;
      }
    }
    return found;
  };
}

function placeOf(opening: number): number {
  return (opening ^ (opening >>> 9)) & (OPENINGS - 1);
}

function mayBegin(text: string, plain: string, at: number): boolean {
  const code = plain.charCodeAt(at);
  if (isLetter(code)) return !isWordSign(plain.charCodeAt(at - 1)) || isCamel(text, at);
  return code >= FIRST_OTHER && beginsOther(plain, at, code);
}

function beginsOther(plain: string, at: number, code: number): boolean {
  if (code > LAST_SPACED) return true;
  const before = plain.charCodeAt(at - 1);
  return !(before >= FIRST_OTHER && before <= LAST_SPACED);
}

/** A capital after a small letter, as in `homePhone`. */
function isCamel(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x41 && code <= 0x5a && isLetter(text.charCodeAt(at - 1));
}

function longestAt(text: string, start: number, entries: readonly Entry[]): FoundWord | undefined {
  let bits = 0;
  let end = start;
  for (const entry of entries) {
    if (!text.startsWith(entry.head, start)) continue;
    const last = endOf(text, start + entry.head.length, entry);
    if (last === undefined || last < end) continue;
    bits = last === end ? bits | entry.bits : entry.bits;
    end = last;
  }
  return bits === 0 ? undefined : { start, end, bits };
}

function endOf(text: string, behindHead: number, { head, rest }: Entry): number | undefined {
  if (rest === undefined) {
    const mayGoOn = head.charCodeAt(0) >= FIRST_OTHER;
    return mayGoOn || !isLetter(text.charCodeAt(behindHead)) ? behindHead : undefined;
  }
  rest.lastIndex = behindHead;
  return rest.test(text) ? rest.lastIndex : undefined;
}

function compile(lists: readonly WordList[]): ReadonlyMap<number, readonly Entry[]> {
  const bitsOf = new Map<string, number>();
  for (const { bits, words } of lists) {
    for (const word of words.flatMap((list) => toPlain(list).split(','))) {
      bitsOf.set(word, (bitsOf.get(word) ?? 0) | bits);
    }
  }
  const byOpening = new Map<number, Entry[]>();
  for (const [word, bits] of bitsOf) {
    const head = /^[^ *]*/.exec(word)?.[0] ?? '';
    const entry = { bits, head, rest: restOf(word.slice(head.length), word) };
    for (const opening of openingsOf(word)) {
      byOpening.set(opening, [...(byOpening.get(opening) ?? []), entry]);
    }
  }
  return byOpening;
}

function restOf(rest: string, word: string): RegExp | undefined {
  if (rest === '') return undefined;
  const source = rest.replaceAll(' ', '[ .\\-_]{1,2}').replaceAll('*', '[a-z]{0,24}');
  return new RegExp(`${source}${word.charCodeAt(0) < FIRST_OTHER ? '(?![a-z])' : ''}`, 'y');
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
      const bare = char.normalize('NFD').replace(DIACRITICS, '').toLowerCase();
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
