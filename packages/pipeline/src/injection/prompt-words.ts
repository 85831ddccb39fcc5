import { PROMPT_LEXICON, type WordClass } from './prompt-lexicon.ts';

const CLASSES = Object.keys(PROMPT_LEXICON) as WordClass[];
const STEM = 4;
const SLOTS = 4096;
const STOPS = '.!?;,。';
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const SPACE = 0x20;

/** The bit that stands for a class of words. */
export function bitOf(word: WordClass): number {
  return 1 << CLASSES.indexOf(word);
}

interface Stem {
  readonly stem: string;
  readonly bits: number;
}

interface Lexicon {
  readonly words: ReadonlyMap<string, number>;
  /** Stems by their first four letters. */
  readonly stems: ReadonlyMap<string, readonly Stem[]>;
  /** Marks the slots of first letters that some entry has; most words of a text have others. */
  readonly openings: Uint8Array;
}

const LEXICON: Lexicon = compileLexicon();

function compileLexicon(): Lexicon {
  const words = new Map<string, number>();
  const stems = new Map<string, Stem[]>();
  const openings = new Uint8Array(SLOTS);
  for (const word of CLASSES) {
    const bits = bitOf(word);
    for (const entry of PROMPT_LEXICON[word].split(' ')) {
      const stem = entry.replace('*', '');
      const key = stem.slice(0, STEM);
      openings[openingOf(stem, 0, stem.length)] = 1;
      if (stem === entry) words.set(entry, (words.get(entry) ?? 0) | bits);
      else stems.set(key, [...(stems.get(key) ?? []), { stem, bits }]);
    }
  }
  return { words, stems, openings };
}

/** A known word of a text: its classes as bits, its place, the number of the word and of the sentence. */
export interface KnownWord {
  readonly bits: number;
  readonly start: number;
  readonly end: number;
  readonly index: number;
  readonly sentence: number;
}

const OPENS_WORD = /[\p{L}\p{N}]/u;
const BLANK = /\s/;

/** The words of a folded text that the lexicon knows, in order. */
export function readKnownWords(text: string): KnownWord[] {
  const known: KnownWord[] = [];
  let index = 0;
  let sentence = 0;
  for (let at = 0; at < text.length; ) {
    if (!opensWord(text, at)) {
      if (endsSentence(text, at)) sentence++;
      at++;
      continue;
    }
    const end = wordEnd(text, at);
    const bits = classesOf(text, at, end);
    if (bits !== 0) known.push({ bits, start: at, end, index, sentence });
    index++;
    at = end;
  }
  return known;
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
  if (text.charCodeAt(at) === SPACE) return false;
  const sign = text.charAt(at);
  if (sign === '\n') return true;
  if (!STOPS.includes(sign)) return false;
  return at + 1 === text.length || BLANK.test(text.charAt(at + 1));
}

function classesOf(text: string, start: number, end: number): number {
  if (LEXICON.openings[openingOf(text, start, end)] === 0) return 0;
  const token = text.slice(start, end);
  let bits = LEXICON.words.get(token) ?? 0;
  if (token.length < STEM) return bits;
  for (const entry of LEXICON.stems.get(token.slice(0, STEM)) ?? []) {
    if (token.startsWith(entry.stem)) bits |= entry.bits;
  }
  return bits;
}

/** The slot of a word's first three letters. */
function openingOf(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start) * 961;
  const second = start + 1 < end ? text.charCodeAt(start + 1) * 31 : 0;
  const third = start + 2 < end ? text.charCodeAt(start + 2) : 0;
  return (first + second + third) & (SLOTS - 1);
}
