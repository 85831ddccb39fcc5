import type { TextFeatures } from '../models/text-features.ts';
import type { SegmentRange, TextScorer } from '../models/text-scorer.ts';
import { kindOf, LETTER, NEWLINE } from '../tokens/characters.ts';
import type { WordTable } from './place-words.ts';
import { CLASS_BITS, CLASSES, MACHINE, POINTING, READER, SELF } from './place-words.ts';
import type { TopicTable } from './topic-vectors.ts';
import { addTopic, likeness } from './topic-vectors.ts';

/** How many sentences on each side of a request are looked at. */
const FARTHEST = 6;
const LONG_WORD = 4;
/** Log-odds below those of any sentence of note. */
export const LOWEST = -10;
/** Places for the content words of a request; a power of two. */
const MARKED = 512;

/** The words of the request at hand. */
export class RequestWords {
  tokens = 0;
  /** Words by class, and numbers and signs. */
  pointing = 0;
  machine = 0;
  self = 0;
  reader = 0;
  signs = 0;
  /** Words that have a topic, and the sum of these. */
  known = 0;
  readonly topic: Float64Array;
  /** The places of its content words in `marked`. */
  readonly slots: number[] = [];
  readonly marked = new Int32Array(MARKED);
  readonly #table: WordTable;
  readonly #topics: TopicTable;

  constructor(table: WordTable, topics: TopicTable) {
    this.#table = table;
    this.#topics = topics;
    this.topic = new Float64Array(topics.dimensions);
  }

  /** Counts the words of the request, and marks its content words. */
  read(features: TextFeatures, { first, last }: SegmentRange): void {
    const { text, words, wordStarts, wordEnds, firstWord } = features;
    this.#clear();
    const from = firstWord[first] as number;
    const to = firstWord[last] as number;
    this.tokens = to - from;
    for (let at = from; at < to; at++) {
      const word = words[at] as number;
      const start = wordStarts[at] as number;
      const kind = this.#table(word);
      if ((kind & CLASSES) !== 0) this.#count(kind);
      else {
        if (kindOf(text.charCodeAt(start)) !== LETTER) this.signs++;
        if (kind > 0) this.known++;
        if (kind > 0) addTopic(this.#topics, (kind >> CLASS_BITS) - 1, this.topic);
        if ((wordEnds[at] as number) - start >= LONG_WORD) this.#mark(word);
      }
    }
  }

  #clear(): void {
    this.pointing = 0;
    this.machine = 0;
    this.self = 0;
    this.reader = 0;
    this.signs = 0;
    this.known = 0;
    this.topic.fill(0);
    for (const slot of this.slots) this.marked[slot] = 0;
    this.slots.length = 0;
  }

  #count(kind: number): void {
    if (kind & POINTING) this.pointing++;
    if (kind & MACHINE) this.machine++;
    if (kind & SELF) this.self++;
    if (kind & READER) this.reader++;
  }

  #mark(word: number): void {
    const slot = word & (MARKED - 1);
    if (this.marked[slot] !== 0 || word === 0) return;
    this.marked[slot] = word;
    this.slots.push(slot);
  }
}

/** What stands on one side of a request: running sums and maxima, by distance in sentences. */
export class RequestSide {
  /** How many sentences there are, at most {@link FARTHEST}. */
  length = 0;
  readonly tokens = new Float64Array(FARTHEST + 1);
  readonly short = new Float64Array(FARTHEST + 1);
  readonly self = new Float64Array(FARTHEST + 1);
  readonly reader = new Float64Array(FARTHEST + 1);
  readonly request = new Float64Array(FARTHEST + 1).fill(LOWEST);
  readonly order = new Float64Array(FARTHEST + 1).fill(LOWEST);
  /** The most that a sentence has in common with the request's topic, -1 to 1. */
  readonly likeness = new Float64Array(FARTHEST + 1).fill(-1);
  /** Running sums of topics, side by side. */
  readonly topics: Float64Array;
  /** How many sentences away each content word of the request comes again. */
  readonly distance = new Int32Array(MARKED);
  readonly #ends = new Uint8Array(FARTHEST + 1);
  readonly #sentence: Float64Array;
  readonly #to: RequestWords;
  readonly #table: WordTable;
  readonly #topics: TopicTable;

  constructor(to: RequestWords, table: WordTable, topics: TopicTable) {
    this.#to = to;
    this.#table = table;
    this.#topics = topics;
    this.#sentence = new Float64Array(topics.dimensions);
    this.topics = new Float64Array(topics.dimensions * (FARTHEST + 1));
  }

  /** Whether a text may end behind so many sentences: all that are looked at, or a whole line. */
  mayEnd(length: number): boolean {
    return length === FARTHEST || this.#ends[length] === 1;
  }

  /**
   * Reads the sentences from `nearest` on, in steps of 1 or -1.
   *
   * @param request the output for requests
   * @param order the output for orders
   */
  read(scorer: TextScorer, request: number, order: number, nearest: number, step: number): void {
    const features = scorer.features();
    for (const slot of this.#to.slots) this.distance[slot] = FARTHEST + 1;
    this.length = 0;
    this.#ends[0] = isEnd(features, step < 0 ? nearest : nearest - 1);
    for (let at = nearest; at >= 0 && at < features.segments; at += step) {
      if (this.length === FARTHEST) return;
      this.length++;
      this.#readWords(features, at);
      this.#addTopic();
      this.#ends[this.length] = isEnd(features, step < 0 ? at - 1 : at);
      raise(this.request, this.length, scorer.scoreOf(request, at, at + 1));
      raise(this.order, this.length, scorer.scoreOf(order, at, at + 1));
    }
  }

  #readWords({ words, wordStarts, wordEnds, firstWord }: TextFeatures, segment: number): void {
    const { marked } = this.#to;
    const { length } = this;
    const from = firstWord[segment] as number;
    const to = firstWord[segment + 1] as number;
    let short = 0;
    let self = 0;
    let reader = 0;
    this.#sentence.fill(0);
    for (let at = from; at < to; at++) {
      const word = words[at] as number;
      if ((wordEnds[at] as number) - (wordStarts[at] as number) < 2) short++;
      const kind = this.#table(word);
      if ((kind & CLASSES) !== 0) {
        if (kind & SELF) self++;
        if (kind & READER) reader++;
        continue;
      }
      if (kind > 0) addTopic(this.#topics, (kind >> CLASS_BITS) - 1, this.#sentence);
      const slot = word & (MARKED - 1);
      const isFirst = marked[slot] === word && (this.distance[slot] as number) > length;
      if (isFirst && word !== 0) this.distance[slot] = length;
    }
    this.tokens[length] = (this.tokens[length - 1] as number) + to - from;
    this.short[length] = (this.short[length - 1] as number) + short;
    this.self[length] = (this.self[length - 1] as number) + self;
    this.reader[length] = (this.reader[length - 1] as number) + reader;
  }

  #addTopic(): void {
    const sentence = this.#sentence;
    const { dimensions } = this.#topics;
    const base = this.length * dimensions;
    for (let at = 0; at < dimensions; at++) {
      const nearer = this.topics[base + at - dimensions] as number;
      this.topics[base + at] = nearer + (sentence[at] as number);
    }
    raise(this.likeness, this.length, likeness(this.#to.topic, sentence, 0, sentence, -1));
  }
}

function raise(maxima: Float64Array, at: number, score: number): void {
  const before = maxima[at - 1] as number;
  maxima[at] = Math.max(score, before);
}

/** 1 where a line, or the text, ends behind segment `at`; `at` may be -1, before the text. */
function isEnd(features: TextFeatures, at: number): 0 | 1 {
  return at < 0 || at + 1 >= features.segments || isBreak(features, at) ? 1 : 0;
}

/** Whether a line ends between segment `at` and the next. */
export function isBreak({ ends, starts, text }: TextFeatures, at: number): boolean {
  const to = starts[at + 1] as number;
  for (let sign = ends[at] as number; sign < to; sign++) {
    if (text.charCodeAt(sign) === NEWLINE) return true;
  }
  return false;
}
