import { OPPOSITES } from './data/opposites.ts';
import { SYNONYMS } from './data/synonyms.ts';
import { TOPICS } from './data/topics.ts';
import {
  AFFIRMATIONS,
  CALENDAR,
  MODALS,
  NEGATIONS,
  NUMBER_WORDS,
  QUANTIFIERS,
  REFUSALS,
  UNITS,
} from './data/word-kinds.ts';
import { isFunctionWord } from './function-words.ts';
import { createHashTable } from './hash-table.ts';
import { hashWord } from './scan-words.ts';
import { stemOf } from './stem.ts';
import type { WordVectors } from './word-vectors.ts';

/** What a word is good for; bits of `Entry.kinds`. */
export const KIND = Object.freeze({
  function: 1,
  negation: 2,
  number: 4,
  quantifier: 8,
  modal: 16,
  calendar: 32,
  unit: 64,
  affirmation: 128,
  refusal: 256,
});

/** What is known about one word. */
export interface Entry {
  /** Lower case, without a clitic such as 's or n't. */
  readonly word: string;
  /** Hash of its stem: the same for all forms of a word. */
  readonly stem: number;
  readonly kinds: number;
  /** How much the word tells, about 0.2 (grammar) to 10 (a name). */
  readonly weight: number;
  /** Value of a number, in digits or words; NaN for other words. */
  readonly value: number;
  readonly senses: readonly number[];
  readonly topics: readonly number[];
  /** Numbers of the pairs of opposites it is in: positive for one side, negative for the other. */
  readonly opposites: readonly number[];
  /** Row of its vector, or -1. */
  readonly row: number;
}

/** Words by hash; entries are made when first asked for. */
export interface Lexicon {
  readonly vectors: WordVectors;
  /** The entry of text[start, end), whose hash (see `scanWords`) is `hash`. */
  entry(hash: number, text: string, start: number, end: number): Entry;
  /** The entry of a number that was written in several words. */
  number(value: number): Entry;
}

const FUNCTION_WEIGHT = 0.3;
const CLITIC = /'(?:s|re|ve|ll|d|m)?$/;
const MAX_KNOWN = 1 << 16;

interface Tables {
  readonly senses: ReadonlyMap<string, readonly number[]>;
  readonly topics: ReadonlyMap<string, readonly number[]>;
  readonly opposites: ReadonlyMap<string, readonly number[]>;
  readonly kinds: ReadonlyMap<string, number>;
}

/** Makes a lexicon over learned word weights and vectors. */
export function createLexicon(vectors: WordVectors): Lexicon {
  const tables: Tables = {
    senses: readGroups(SYNONYMS),
    topics: readGroups(TOPICS),
    opposites: readOpposites(),
    kinds: readKinds(),
  };
  // Words are known by their hash; two words with the same one are as rare as one in four thousand million.
  let numbers = createHashTable(1024);
  let known: Entry[] = [];
  const entry: Lexicon['entry'] = (hash, text, start, end) => {
    const number = numbers.get(hash);
    if (number >= 0) return known[number] as Entry;
    if (known.length >= MAX_KNOWN) {
      numbers = createHashTable(1024);
      known = [];
    }
    const made = makeEntry(text.slice(start, end).toLowerCase(), tables, vectors);
    numbers.set(hash, known.push(made) - 1);
    return made;
  };
  return {
    vectors,
    entry,
    number(value) {
      const text = String(value);
      return entry(hashWord(text), text, 0, text.length);
    },
  };
}

function makeEntry(text: string, tables: Tables, vectors: WordVectors): Entry {
  const denied = text.endsWith("n't");
  const word = denied ? text.slice(0, -3) : text.replace(CLITIC, '');
  const value = numberIn(word);
  const stem = stemOf(word);
  const key = hashWord(Number.isNaN(value) ? stem : `#${value}`);
  const row = vectors.find(key);
  const grammar = isFunctionWord(hashWord(word)) || word === '' || denied;
  let kinds = (tables.kinds.get(word) ?? 0) | (tables.kinds.get(stem) ?? 0);
  if (grammar) kinds |= KIND.function;
  if (denied) kinds |= KIND.negation;
  if (!Number.isNaN(value)) kinds |= KIND.number;
  const learned = vectors.weight(row);
  return {
    word,
    stem: key,
    kinds,
    weight: grammar ? FUNCTION_WEIGHT : learned,
    value,
    senses: grammar ? [] : (tables.senses.get(stem) ?? []),
    topics: tables.topics.get(stem) ?? [],
    opposites: tables.opposites.get(word) ?? tables.opposites.get(stem) ?? [],
    row,
  };
}

const DIGITS = /^(\d[\d,.:]*)(?:st|nd|rd|th|s|k|m|bn|am|pm|%)?$/;

function numberIn(word: string): number {
  const spelled = NUMBER_WORDS[word];
  if (typeof spelled === 'number' && Object.hasOwn(NUMBER_WORDS, word)) return spelled;
  const digits = DIGITS.exec(word)?.[1];
  if (digits === undefined) return Number.NaN;
  if (digits.includes(':'))
    return Number(digits.replaceAll(':', '.').split('.').slice(0, 2).join('.'));
  return Number(
    digits
      .replace(/,(?=\d{3})/g, '')
      .replaceAll(',', '.')
      .split('.')
      .slice(0, 2)
      .join('.'),
  );
}

function readGroups(table: string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  table.split('|').forEach((group, number) => {
    for (const word of new Set(group.trim().split(/\s+/).map(stemOf)))
      add(groups, word, number + 1);
  });
  return groups;
}

function readOpposites(): Map<string, number[]> {
  const sides = new Map<string, number[]>();
  OPPOSITES.split('|').forEach((pair, number) => {
    const [left = '', right = ''] = pair.split('/');
    for (const word of left.trim().split(/\s+/)) addBoth(sides, word, number + 1);
    for (const word of right.trim().split(/\s+/)) addBoth(sides, word, -(number + 1));
  });
  return sides;
}

function addBoth(groups: Map<string, number[]>, word: string, value: number): void {
  add(groups, word, value);
  const stem = stemOf(word);
  if (stem !== word) add(groups, stem, value);
}

function add(groups: Map<string, number[]>, word: string, value: number): void {
  const known = groups.get(word);
  if (known === undefined) groups.set(word, [value]);
  else if (!known.includes(value)) known.push(value);
}

function readKinds(): Map<string, number> {
  const kinds = new Map<string, number>();
  const mark = (words: string, kind: number): void => {
    for (const word of words.trim().split(/\s+/)) {
      kinds.set(word, (kinds.get(word) ?? 0) | kind);
      const stem = stemOf(word);
      if (kind === KIND.unit) kinds.set(stem, (kinds.get(stem) ?? 0) | kind);
    }
  };
  mark(NEGATIONS, KIND.negation);
  mark(QUANTIFIERS, KIND.quantifier);
  mark(MODALS, KIND.modal);
  mark(CALENDAR, KIND.calendar);
  mark(UNITS, KIND.unit);
  mark(AFFIRMATIONS, KIND.affirmation);
  mark(REFUSALS, KIND.refusal);
  return kinds;
}
