import { createHashTable, type HashTable } from '../language/hash-table.ts';
import { type Entry, KIND } from '../language/lexicon.ts';
import { type Stretch, stretchOf } from '../language/pair-features.ts';
import type { Words } from '../language/sentences.ts';

/** Where the words of a source stand. */
export interface SourceIndex {
  readonly words: Words;
  /** Whether a word, by its stem, stands anywhere in the source. */
  hasStem(stem: number): boolean;
  /** Whether a word with one of these meanings does. */
  hasSense(senses: readonly number[]): boolean;
  /** Whether a word stands in a sentence or in one beside it. */
  isNear(stem: number, sentence: number): boolean;
  /** Whether words stand side by side somewhere. */
  hasRow(stems: readonly number[]): boolean;
  /** The words of a sentence. */
  stretch(sentence: number): Stretch;
  /** Calls `visit` with the sentences that have a word; the first ones of a very common word. */
  eachSentence(stem: number, visit: (sentence: number) => void): void;
  eachSenseSentence(sense: number, visit: (sentence: number) => void): void;
}

/** Places looked at for one word: beyond that it tells little, and the work stays linear. */
const MAX_PLACES = 256;
const STEP = 2048;

/** The places of each key, ascending: the first one by key, the next one by place. */
interface Chains {
  /** Number of the chain of each key. */
  readonly numbers: HashTable;
  readonly heads: number[];
  readonly tails: number[];
  readonly lengths: number[];
  readonly places: number[];
  readonly next: number[];
}

function createChains(expected: number): Chains {
  const numbers = createHashTable(expected);
  return { numbers, heads: [], tails: [], lengths: [], places: [], next: [] };
}

function addToChain(chains: Chains, key: number, place: number): void {
  const { numbers, heads, tails, lengths, next } = chains;
  const link = chains.places.push(place) - 1;
  next.push(-1);
  const chain = numbers.get(key);
  if (chain < 0) {
    numbers.set(key, heads.push(link) - 1);
    tails.push(link);
    lengths.push(1);
    return;
  }
  next[tails[chain] as number] = link;
  tails[chain] = link;
  lengths[chain] = (lengths[chain] as number) + 1;
}

/** Indexes a source in steps of some thousand words; yields between them. */
export function* indexSource(words: Words): Generator<void, SourceIndex> {
  const chains = createChains(words.count);
  const sentenceOf: number[] = [];
  let sentence = 0;
  for (let at = 0; at < words.count; at++) {
    while ((words.sentences[sentence + 1] as number) <= at) sentence++;
    sentenceOf.push(sentence);
    addToChain(chains, (words.entries[at] as Entry).stem, at);
    if (at % STEP === STEP - 1) yield;
  }
  return toIndex(words, sentenceOf, chains);
}

function toIndex(words: Words, sentenceOf: readonly number[], stems: Chains): SourceIndex {
  const stretches = new Map<number, Stretch>();
  let senses: Chains | undefined;
  const senseChains = (): Chains => {
    senses ??= chainSenses(words);
    return senses;
  };
  return {
    words,
    hasStem: (stem) => stems.numbers.get(stem) >= 0,
    hasSense: (wanted) => wanted.some((sense) => senseChains().numbers.get(sense) >= 0),
    isNear: (stem, sentence) => isNear(words, stem, sentence),
    hasRow: (row) => hasRow(words, stems, row),
    stretch(number) {
      let held = stretches.get(number);
      if (held === undefined) {
        const { sentences } = words;
        held = stretchOf(words, sentences[number] as number, sentences[number + 1] as number);
        stretches.set(number, held);
      }
      return held;
    },
    eachSentence: (stem, visit) => eachSentence(stems, sentenceOf, stem, visit),
    eachSenseSentence: (sense, visit) => eachSentence(senseChains(), sentenceOf, sense, visit),
  };
}

/** Needed only where a claim has a word that the source does not have. */
function chainSenses(words: Words): Chains {
  const chains = createChains(words.count);
  words.entries.forEach(({ senses }, at) => {
    for (const sense of senses) addToChain(chains, sense, at);
  });
  return chains;
}

function eachSentence(
  { numbers, heads, places, next }: Chains,
  sentenceOf: readonly number[],
  key: number,
  visit: (sentence: number) => void,
): void {
  const chain = numbers.get(key);
  let link = chain < 0 ? -1 : (heads[chain] as number);
  let last = -1;
  for (let seen = 0; link >= 0 && seen < MAX_PLACES; seen++) {
    const sentence = sentenceOf[places[link] as number] as number;
    if (sentence !== last) visit(sentence);
    last = sentence;
    link = next[link] as number;
  }
}

function isNear({ entries, sentences }: Words, stem: number, sentence: number): boolean {
  const from = sentences[Math.max(0, sentence - 1)] as number;
  const to = sentences[Math.min(sentences.length - 1, sentence + 2)] as number;
  for (let at = from; at < to; at++) if ((entries[at] as Entry).stem === stem) return true;
  return false;
}

/**
 * Goes through the places of the rarest word of the row. Where even that one has very many, the row is
 * taken to be there: it consists of the commonest words only.
 */
function hasRow({ entries }: Words, chains: Chains, row: readonly number[]): boolean {
  let rarest = -1;
  let offset = 0;
  for (let at = 0; at < row.length; at++) {
    const chain = chains.numbers.get(row[at] as number);
    if (chain < 0) return false;
    const fewer =
      rarest < 0 || (chains.lengths[chain] as number) < (chains.lengths[rarest] as number);
    if (!fewer) continue;
    rarest = chain;
    offset = at;
  }
  if ((chains.lengths[rarest] as number) > MAX_PLACES) return true;
  let link = chains.heads[rarest] as number;
  for (; link >= 0; link = chains.next[link] as number) {
    const first = (chains.places[link] as number) - offset;
    if (row.every((stem, at) => entries[first + at]?.stem === stem)) return true;
  }
  return false;
}

/** Whether a word tells enough to look for the sentences that have it. */
export function isTelling(kinds: number): boolean {
  return (kinds & KIND.function) === 0;
}
