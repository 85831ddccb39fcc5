import { PROMPT_LEXICON, type WordClass } from './prompt-lexicon.ts';

const CLASSES = Object.keys(PROMPT_LEXICON) as WordClass[];
const STEM = 4;

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
}

const LEXICON: Lexicon = compileLexicon();

function compileLexicon(): Lexicon {
  const words = new Map<string, number>();
  const stems = new Map<string, Stem[]>();
  for (const word of CLASSES) {
    const bits = bitOf(word);
    for (const entry of PROMPT_LEXICON[word].split(' ')) {
      const stem = entry.replace('*', '');
      const key = stem.slice(0, STEM);
      if (stem === entry) words.set(entry, (words.get(entry) ?? 0) | bits);
      else stems.set(key, [...(stems.get(key) ?? []), { stem, bits }]);
    }
  }
  return { words, stems };
}

/** A known word of a text: its classes as bits, its place, the number of the word and of the sentence. */
export interface KnownWord {
  readonly bits: number;
  readonly start: number;
  readonly end: number;
  readonly index: number;
  readonly sentence: number;
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}'-]*|[.!?;,。]+(?=\s|$)|\n/gu;

/** The words of a folded text that the lexicon knows, in order. */
export function readKnownWords(text: string): KnownWord[] {
  const known: KnownWord[] = [];
  let index = 0;
  let sentence = 0;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    const code = token.charCodeAt(0);
    if (code < 0x30 || code === 0x3b || code === 0x3f || code === 0x3002) {
      sentence++;
      continue;
    }
    const bits = classesOf(token);
    const start = match.index;
    if (bits !== 0) known.push({ bits, start, end: start + token.length, index, sentence });
    index++;
  }
  return known;
}

function classesOf(token: string): number {
  let bits = LEXICON.words.get(token) ?? 0;
  if (token.length < STEM) return bits;
  for (const entry of LEXICON.stems.get(token.slice(0, STEM)) ?? []) {
    if (token.startsWith(entry.stem)) bits |= entry.bits;
  }
  return bits;
}
