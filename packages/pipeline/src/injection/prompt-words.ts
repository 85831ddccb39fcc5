import type { HashTable } from '../language/hash-table.ts';
import { createHashTable } from '../language/hash-table.ts';
import { mixLetter, WORD_SALT } from '../models/hashing.ts';
import { LETTER } from '../tokens/characters.ts';
import { MARKS, ROW } from '../tokens/token-row.ts';
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

/** Writes the known words into `numbers`; returns how many there are. */
function noteKnownWords(tables: WordTables, folded: Tokens): number {
  return new KnownWordReader(tables, folded).read();
}

/**
 * Joins the tokens of a text to words: letters and numbers that touch, whatever the script, with apostrophes and
 * hyphens between them.
 */
class KnownWordReader {
  readonly #tables: WordTables;
  readonly #tokens: Tokens;
  #count = 0;
  #index = 0;
  #sentence = 0;
  /** The word at hand, up to its last letter or number; none where `#start` is negative. */
  #start = -1;
  #end = 0;
  /** Its hash where its tokens have it; a word with anything beside letters has none. */
  #hash: number | undefined;

  constructor(tables: WordTables, tokens: Tokens) {
    this.#tables = tables;
    this.#tokens = tokens;
  }

  read(): number {
    const { text, rows, width, start, length, lengthShift } = this.#tokens;
    /** How far the word may go on. */
    let behind = 0;
    for (let row = 0; row < rows.length; row += width) {
      const size = (rows[row + length] as number) >>> lengthShift;
      if (size === 0) continue;
      const at = rows[row + start] as number;
      if (this.#start >= 0 && at > behind) this.#close();
      behind = at + size;
      const marks = rows[row + ROW.marks] as number;
      if ((marks & MARKS.plain) !== 0) {
        this.#take(marks, rows[row + ROW.hash] as number, at);
        this.#end = behind;
      } else if (this.#start < 0 || !isInner(text.charCodeAt(at))) {
        if (this.#start >= 0) this.#close();
        if (endsSentence(text, at)) this.#sentence++;
      }
    }
    if (this.#start >= 0) this.#close();
    return this.#count;
  }

  #take(marks: number, hash: number, at: number): void {
    const isLetters = (marks & MARKS.kind) === LETTER;
    const goesOn = (marks & MARKS.goesOn) !== 0;
    if (this.#start < 0) {
      this.#start = at;
      this.#hash = isLetters && !goesOn ? hash : undefined;
    } else if (this.#hash !== undefined) {
      this.#hash = isLetters && goesOn ? hash : undefined;
    }
  }

  #close(): void {
    const [start, end] = [this.#start, this.#end];
    const bits = classesOf(this.#tables, this.#tokens.text, start, end, this.#hash);
    if (bits !== 0) note(this.#count++, bits, start, end, this.#index, this.#sentence);
    this.#index++;
    this.#start = -1;
  }
}

/** Whether a sign goes on inside a word. */
function isInner(code: number): boolean {
  return code === APOSTROPHE || code === HYPHEN;
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
