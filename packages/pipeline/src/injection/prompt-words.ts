import type { HashTable } from '../language/hash-table.ts';
import { createHashTable } from '../language/hash-table.ts';
import { mixLetter, WORD_SALT } from '../models/hashing.ts';
import { featuresOf } from '../models/shared-features.ts';
import { WORD_KIND } from '../models/text-features.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { PromptLexicon } from './prompt-lexicon.ts';
import type { WordClass } from './word-class.ts';
import { WORD_CLASSES } from './word-class.ts';

const STEM = 4;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const SPACE = 0x20;
const NEWLINE = 0x0a;

/** The bit that stands for a class of words. */
export function bitOf(word: WordClass): number {
  return 1 << WORD_CLASSES.indexOf(word);
}

/** What begins like this in its first four letters, with the whole of what it must begin with. */
interface Stem {
  readonly stem: string;
  readonly bits: number;
}

/** A lexicon made ready to look words up by their hashes. */
export interface WordTables {
  readonly words: HashTable;
  /** Stems by the hash of their first four letters; the table holds places in `stems`. */
  readonly stemPlaces: HashTable;
  readonly stems: readonly (readonly Stem[])[];
  /** Marks the slots of first letters that some entry has; most words of a text have others. */
  readonly openings: Uint8Array;
}

const SLOTS = 4096;

/** Compiles a lexicon. */
export function compileLexicon(lexicon: PromptLexicon): WordTables {
  const words = createHashTable(2048);
  const stemPlaces = createHashTable(1024);
  const stems: Stem[][] = [];
  const openings = new Uint8Array(SLOTS);
  for (const [word, entries] of lexicon) {
    const bits = bitOf(word);
    for (const entry of entries) {
      const letters = entry.replace('*', '');
      openings[openingOf(letters, 0, letters.length)] = 1;
      if (entry.endsWith('*')) addStem(stemPlaces, stems, { stem: letters, bits });
      else {
        const hash = hashOf(entry);
        words.set(hash, Math.max(0, words.get(hash)) | bits);
      }
    }
  }
  return { words, stemPlaces, stems, openings };
}

function addStem(places: HashTable, stems: Stem[][], stem: Stem): void {
  const hash = hashOf(stem.stem.slice(0, STEM));
  const place = places.get(hash);
  if (place < 0) {
    places.set(hash, stems.length);
    stems.push([stem]);
  } else stems[place]?.push(stem);
}

function hashOf(text: string): number {
  let hash = WORD_SALT;
  for (let at = 0; at < text.length; at++) hash = mixLetter(hash, text.charCodeAt(at));
  return hash;
}

/** A known word of a text: its classes as bits, its place, the number of the word and of the sentence. */
export interface KnownWord {
  readonly bits: number;
  readonly start: number;
  readonly end: number;
  readonly index: number;
  readonly sentence: number;
}

/** The numbers of known words, five to a word; used up before the next text is read. */
let numbers = new Int32Array(1024);
const FIELDS = 5;

const OPENS_WORD = /[\p{L}\p{N}]/u;
const BLANK = /\s/;

/**
 * The words of a folded text, given by its tokens, that the lexicon knows, in order; none are listed where `isOfUse` says
 * no to the classes that the text has, as bits.
 */
export function readKnownWords(
  tables: WordTables,
  tokens: Tokens,
  isOfUse: (bits: number) => boolean,
): KnownWord[] {
  const count = noteKnownWords(tables, tokens);
  let present = 0;
  for (let at = 0; at < count; at++) present |= numbers[at * FIELDS] as number;
  if (!isOfUse(present)) return [];
  return Array.from({ length: count }, (_, at): KnownWord => {
    const field = (number: number) => numbers[at * FIELDS + number] as number;
    return { bits: field(0), start: field(1), end: field(2), index: field(3), sentence: field(4) };
  });
}

/**
 * Writes the known words into `numbers`; returns how many there are. The text is split by
 * {@link featuresOf}, as for the models, whose words have no digits, apostrophes and hyphens beside letters:
 * where one of these, or a character beyond ASCII, may belong to a word, its end is looked for in the text.
 */
function noteKnownWords(tables: WordTables, folded: Tokens): number {
  const { text } = folded;
  const features = featuresOf(folded);
  const { words, wordStarts, wordEnds, wordKinds } = features;
  const tokens = features.firstWord[features.segments] as number;
  let count = 0;
  let index = 0;
  let sentence = 0;
  let at = 0;
  for (let token = 0; token < tokens; token++) {
    const start = wordStarts[token] as number;
    const behind = wordEnds[token] as number;
    for (; at < start; at++) if (text.charCodeAt(at) === NEWLINE) sentence++;
    const kind = at > start ? WORD_KIND.other : (wordKinds[token] as number);
    if (kind === WORD_KIND.sign) {
      if (endsSentence(text, at)) sentence++;
      at = behind;
      continue;
    }
    if (kind !== WORD_KIND.other && !goesOn(text, behind)) {
      const hash = kind === WORD_KIND.letters ? words[token] : undefined;
      const bits = classesOf(tables, text, at, behind, hash);
      if (bits !== 0) note(count++, bits, at, behind, index, sentence);
      index++;
      at = behind;
      continue;
    }
    // A word may go on beyond the token, or end within a later one.
    while (at < behind) {
      if (!opensWord(text, at)) {
        if (endsSentence(text, at)) sentence++;
        at++;
        continue;
      }
      const end = wordEnd(text, at);
      const bits = classesOf(tables, text, at, end);
      if (bits !== 0) note(count++, bits, at, end, index, sentence);
      index++;
      at = end;
    }
  }
  return count;
}

function note(
  word: number,
  bits: number,
  start: number,
  end: number,
  index: number,
  sentence: number,
): void {
  const place = word * FIELDS;
  if (place + FIELDS > numbers.length) {
    const grown = new Int32Array(numbers.length * 2);
    grown.set(numbers);
    numbers = grown;
  }
  numbers[place] = bits;
  numbers[place + 1] = start;
  numbers[place + 2] = end;
  numbers[place + 3] = index;
  numbers[place + 4] = sentence;
}

/** 1 for a sign that words begin with, 2 for one that only goes on inside a word. */
const ASCII_KIND = new Uint8Array(128).map((_, code) => {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)) return 1;
  return code === APOSTROPHE || code === HYPHEN ? 2 : 0;
});

function opensWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_KIND[code] === 1;
  return OPENS_WORD.test(String.fromCodePoint(text.codePointAt(at) as number));
}

/** Whether a sign that may belong to a word stands at a place. */
function goesOn(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? ASCII_KIND[code] !== 0 : code >= 128;
}

function wordEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code < 128 ? ASCII_KIND[code] === 0 : !opensWord(text, end)) break;
    end += code >= 0xd800 && code <= 0xdbff ? 2 : 1;
  }
  end = Math.min(end, text.length);
  while (text.charCodeAt(end - 1) === APOSTROPHE || text.charCodeAt(end - 1) === HYPHEN) end--;
  return end;
}

/** A line break, or the last of a row of stops with a blank or nothing after it. */
function endsSentence(text: string, at: number): boolean {
  const sign = text.charCodeAt(at);
  if (sign === NEWLINE) return true;
  if (!isStop(sign)) return false;
  return at + 1 === text.length || isBlank(text.charCodeAt(at + 1));
}

/** One of `.!?;,` or the full stop of Chinese and Japanese. */
function isStop(code: number): boolean {
  return (
    code === 0x2e ||
    code === 0x2c ||
    code === 0x21 ||
    code === 0x3b ||
    code === 0x3f ||
    code === 0x3002
  );
}

function isBlank(code: number): boolean {
  if (code < 128) return code === SPACE || (code >= 0x09 && code <= 0x0d);
  return BLANK.test(String.fromCharCode(code));
}

/** @param known the hash of the word where it has been made */
function classesOf(
  tables: WordTables,
  text: string,
  start: number,
  end: number,
  known?: number,
): number {
  if (tables.openings[openingOf(text, start, end)] === 0) return 0;
  let hash = WORD_SALT;
  let stem = -1;
  const last = known === undefined ? end : Math.min(end, start + STEM);
  for (let at = start; at < last; at++) {
    hash = mixLetter(hash, text.charCodeAt(at));
    if (at - start === STEM - 1) stem = tables.stemPlaces.get(hash);
  }
  const bits = Math.max(0, tables.words.get(known ?? hash));
  return stem < 0
    ? bits
    : bits | stemClasses(tables.stems[stem] as readonly Stem[], text, start, end);
}

/** The slot of a word's first three letters. */
function openingOf(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start) * 961;
  const second = start + 1 < end ? text.charCodeAt(start + 1) * 31 : 0;
  const third = start + 2 < end ? text.charCodeAt(start + 2) : 0;
  return (first + second + third) & (SLOTS - 1);
}

function stemClasses(stems: readonly Stem[], text: string, start: number, end: number): number {
  let bits = 0;
  for (const entry of stems) {
    if (end - start >= entry.stem.length && text.startsWith(entry.stem, start)) bits |= entry.bits;
  }
  return bits;
}
