import { afterEveryScan } from '../scan-memory.ts';
import { hashWord } from '../tokens/word-hash.ts';
import type { Grammar } from './grammar.ts';
import { ENGLISH } from './grammar.ts';
import type { RelatedWords } from './related-words.ts';
import { emptyRelatedWords } from './related-words.ts';
import type { Traits } from './word-relation.ts';
import { createRelations, hasOpposite, traitsOf } from './word-relation.ts';
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
  /** Attributes what is said, or announces it, at the head of a sentence. */
  frame: 512,
  /** Not known, and without the ending of a common word: rather a name. */
  nameLike: 1024,
});

/** What is known about one word. */
export interface Entry {
  /** Number of the entry; no two of a lexicon share one. */
  readonly id: number;
  /** Lower case, without a clitic such as 's or n't. */
  readonly word: string;
  /** Hash of its stem: the same for all forms of a word. */
  readonly stem: number;
  readonly kinds: number;
  /** Information of the word in nats, about 0.2 (grammar) to 10 (a name). */
  readonly weight: number;
  /** Value of a number, in digits or words; NaN for other words. */
  readonly value: number;
  readonly senses: readonly number[];
  readonly topics: readonly number[];
  /** Numbers of the pairs of opposites it is in: positive for one side, negative for the other. */
  readonly opposites: readonly number[];
  /** Whether any word is known to exclude it. */
  readonly excludes: boolean;
  /** Row of its vector, or -1. */
  readonly row: number;
  /** What shows at a glance that two words have nothing to do with each other. */
  readonly traits: Traits;
}

/** Words by hash; entries are made at the first look-up. */
export interface Lexicon {
  readonly grammar: Grammar;
  readonly vectors: WordVectors;
  /** The entry of text[start, end), whose hash (see `hashWord`) is `hash`. */
  entry(hash: number, text: string, start: number, end: number): Entry;
  /** The entry of a number that was written in several words. */
  number(value: number): Entry;
  /** The entry of a month, 1 to 12. */
  month(number: number): Entry;
  /** The entry of "must", for which "have to" stands. */
  readonly must: Entry;
  /** How two words relate: bits of RELATION. */
  relation(a: Entry, b: Entry): number;
}

const FUNCTION_WEIGHT = 0.3;
/** Sets stems apart from words in one table. */
const FORM = '~';
const MAX_KNOWN = 1 << 16;
const FIRST_SLOTS = 1 << 12;
const FIRST_PASSING = 1 << 9;
/** Shorter strings are copied by `slice` itself. */
const SHORTEST_SLICE = 13;
/** Kinds that only words of a list have. */
const LISTED = ~(KIND.nameLike | KIND.function | KIND.negation);
const HAS_DIGIT = /\d/;

interface Tables {
  readonly grammar: Grammar;
  readonly senses: ReadonlyMap<string, readonly number[]>;
  readonly topics: ReadonlyMap<string, readonly number[]>;
  readonly opposites: ReadonlyMap<string, readonly number[]>;
  readonly kinds: ReadonlyMap<string, number>;
}

/** Entries by the hash of their word; two words with the same one are as rare as one in four thousand million. */
class EntryTable {
  readonly #first: number;
  #keys: Int32Array;
  #entries: (Entry | undefined)[];
  #used = 0;

  constructor(slots: number) {
    this.#first = slots;
    this.#keys = new Int32Array(slots);
    this.#entries = new Array(slots).fill(undefined);
  }

  get(hash: number): Entry | undefined {
    return this.#entries[this.#slotOf(hash)];
  }

  add(hash: number, entry: Entry): void {
    if (this.#used >= MAX_KNOWN) this.clear();
    if (++this.#used * 2 > this.#keys.length) this.#grow();
    const slot = this.#slotOf(hash);
    this.#keys[slot] = hash;
    this.#entries[slot] = entry;
  }

  clear(): void {
    if (this.#used === 0) return;
    this.#used = 0;
    if (this.#keys.length === this.#first) this.#entries.fill(undefined);
    else {
      this.#keys = new Int32Array(this.#first);
      this.#entries = new Array(this.#first).fill(undefined);
    }
  }

  #slotOf(hash: number): number {
    const keys = this.#keys;
    const entries = this.#entries;
    const mask = keys.length - 1;
    let slot = hash & mask;
    while (entries[slot] !== undefined && keys[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys;
    const entries = this.#entries;
    this.#keys = new Int32Array(keys.length * 2);
    this.#entries = new Array(keys.length * 2).fill(undefined);
    entries.forEach((entry, at) => {
      if (entry === undefined) return;
      const slot = this.#slotOf(keys[at] as number);
      this.#keys[slot] = keys[at] as number;
      this.#entries[slot] = entry;
    });
  }
}

/** Whether a word is of the dictionaries and lists here, so that keeping it keeps nothing of a text. */
function isVocabulary(
  { word, row, kinds, senses, topics, opposites }: Entry,
  grammar: Grammar,
): boolean {
  if (HAS_DIGIT.test(word)) return false;
  if (row >= 0 || (kinds & LISTED) !== 0 || grammar.isFunction(word)) return true;
  return senses.length > 0 || topics.length > 0 || opposites.length > 0;
}

/** A string of its own: a slice of a text would keep the whole text in memory. */
function copyOf(word: string): string {
  return word.length < SHORTEST_SLICE ? word : ` ${word}`.slice(1);
}

/** Makes a lexicon over learned word weights and vectors, and the relations of their rows. */
export function createLexicon(
  vectors: WordVectors,
  related: RelatedWords = emptyRelatedWords(),
  grammar: Grammar = ENGLISH,
): Lexicon {
  const tables: Tables = {
    grammar,
    senses: readGroups(grammar.synonyms, grammar),
    topics: readGroups(grammar.topics, grammar),
    opposites: readOpposites(grammar),
    kinds: readKinds(grammar),
  };
  const known = new EntryTable(FIRST_SLOTS);
  // Numbers, names and what else is in no dictionary: of use within a scan, and not to be kept longer.
  const passing = new EntryTable(FIRST_PASSING);
  afterEveryScan(() => passing.clear());
  let made = 0;
  const entry: Lexicon['entry'] = (hash, text, start, end) => {
    const found = known.get(hash) ?? passing.get(hash);
    if (found !== undefined) return found;
    const word = copyOf(text.slice(start, end).toLowerCase());
    const fresh = makeEntry(made++, word, tables, vectors, related);
    (isVocabulary(fresh, grammar) ? known : passing).add(hash, fresh);
    return fresh;
  };
  const named = (word: string): Entry => entry(hashWord(word), word, 0, word.length);
  return {
    grammar,
    vectors,
    entry,
    number: (value) => named(String(value)),
    month: (number) => named(grammar.lists.calendar[number - 1] ?? ''),
    must: named('must'),
    relation: createRelations(related),
  };
}

function makeEntry(
  id: number,
  text: string,
  tables: Tables,
  vectors: WordVectors,
  related: RelatedWords,
): Entry {
  const { grammar: rules } = tables;
  const negated = rules.isNegated(text);
  const word = rules.bare(text);
  const value = rules.number(word);
  const stem = rules.stem(word);
  const key = hashWord(Number.isNaN(value) ? stem : `#${value}`);
  const row = vectors.find(key);
  const grammar = rules.isFunction(word) || word === '' || (negated && rules.isEnglish);
  let kinds = (tables.kinds.get(word) ?? 0) | (tables.kinds.get(FORM + stem) ?? 0);
  if (grammar) kinds |= KIND.function;
  if (negated) kinds |= KIND.negation;
  if (!Number.isNaN(value)) kinds |= KIND.number;
  const isStranger = rules.isEnglish && row < 0 && !COMMON_ENDING.test(word);
  if (isStranger || vectors.isName(row)) kinds |= KIND.nameLike;
  const learned = rules.isEnglish ? vectors.weight(row) : weightByLength(word);
  const senses = grammar ? [] : (tables.senses.get(stem) ?? []);
  const topics = tables.topics.get(stem) ?? [];
  const opposites = tables.opposites.get(word) ?? tables.opposites.get(stem) ?? [];
  return {
    id,
    word,
    stem: key,
    kinds,
    weight: grammar ? FUNCTION_WEIGHT : learned,
    value,
    senses,
    topics,
    opposites,
    excludes: opposites.length > 0 || hasOpposite(row, related),
    row,
    traits: traitsOf(word, { senses, topics, opposites }, row, related),
  };
}

const COMMON_ENDING = /(?:s|ed|ing|ly|men|tion|ment|ness|ism|ist|er|able)$/;

/** Of languages without learned weights: longer words say more. */
function weightByLength(word: string): number {
  return HAS_DIGIT.test(word) ? NUMBER_WEIGHT : Math.min(LONG_WEIGHT, 2.5 + word.length / 2);
}

const NUMBER_WEIGHT = 6;
const LONG_WEIGHT = 9;

function readGroups(
  table: readonly (readonly string[])[],
  grammar: Grammar,
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  table.forEach((group, number) => {
    for (const word of new Set(group.map((word) => grammar.stem(word))))
      add(groups, word, number + 1);
  });
  return groups;
}

function readOpposites(grammar: Grammar): Map<string, number[]> {
  const sides = new Map<string, number[]>();
  const addBoth = (word: string, value: number): void => {
    add(sides, word, value);
    const stem = grammar.stem(word);
    if (stem !== word) add(sides, stem, value);
  };
  grammar.opposites.forEach(([left = [], right = []], number) => {
    for (const word of left) addBoth(word, number + 1);
    for (const word of right) addBoth(word, -(number + 1));
  });
  return sides;
}

function add(groups: Map<string, number[]>, word: string, value: number): void {
  const known = groups.get(word);
  if (known === undefined) groups.set(word, [value]);
  else if (!known.includes(value)) known.push(value);
}

function readKinds({ lists, stem }: Grammar): Map<string, number> {
  const kinds = new Map<string, number>();
  const add = (word: string, kind: number): void => {
    kinds.set(word, (kinds.get(word) ?? 0) | kind);
  };
  const mark = (words: readonly string[], kind: number): void => {
    for (const word of words) add(word, kind);
  };
  // With their other forms, which is no matter of course: "note" is no form of "not".
  const markForms = (words: readonly string[], kind: number): void => {
    for (const word of words) add(FORM + stem(word), kind);
  };
  mark(lists.negations, KIND.negation);
  markForms(lists.negativeVerbs, KIND.negation);
  mark(lists.quantifiers, KIND.quantifier);
  mark(lists.modals, KIND.modal);
  mark(lists.calendar, KIND.calendar);
  markForms(lists.units, KIND.unit);
  // "Am" is a form of "be" as well.
  mark(['am', 'pm'], KIND.unit);
  mark(lists.affirmations, KIND.affirmation);
  mark(lists.refusals, KIND.refusal);
  mark(lists.frames, KIND.frame);
  return kinds;
}
