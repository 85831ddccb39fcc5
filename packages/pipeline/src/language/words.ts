import type { Entry } from './lexicon.ts';
import { KIND } from './lexicon.ts';

/**
 * The words of a text with what is known of each, in columns that are valid below `count`, and where
 * its sentences begin.
 */
export interface Words {
  readonly count: number;
  readonly entries: readonly Entry[];
  readonly stems: Int32Array;
  /** Bits of KIND. */
  readonly kinds: Int32Array;
  readonly weights: Float32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Bits of SHAPE. */
  readonly shape: Uint8Array;
  /** Bits of GAP, of what stands before the word. */
  readonly gap: Uint8Array;
  /** Word numbers at which sentences begin, ascending; the last one is `count`. */
  readonly sentences: readonly number[];
  /** Whether the text ends with a question mark. */
  readonly endsAsking: boolean;
}

const FIRST_CAPACITY = 256;

/** Words that are being collected. Grows; made empty again, it can be filled anew. */
export class WordColumns implements Words {
  count = 0;
  entries: Entry[] = [];
  stems: Int32Array;
  kinds: Int32Array;
  weights: Float32Array;
  start: Int32Array;
  end: Int32Array;
  shape: Uint8Array;
  gap: Uint8Array;
  sentences: number[] = [];
  endsAsking = false;

  /** @param capacity about how many words there will be; more fit as well */
  constructor(capacity = FIRST_CAPACITY) {
    this.stems = new Int32Array(capacity);
    this.kinds = new Int32Array(capacity);
    this.weights = new Float32Array(capacity);
    this.start = new Int32Array(capacity);
    this.end = new Int32Array(capacity);
    this.shape = new Uint8Array(capacity);
    this.gap = new Uint8Array(capacity);
  }

  /** How many words fit before the columns grow. */
  get capacity(): number {
    return this.stems.length;
  }

  push(entry: Entry, start: number, end: number, shape: number, gap: number): void {
    const at = this.count++;
    if (at === this.stems.length) this.#grow();
    this.shape[at] = shape;
    this.gap[at] = gap;
    this.start[at] = start;
    this.set(at, entry, end);
  }

  /** Puts an entry in the place of another one, up to a new end. */
  set(at: number, entry: Entry, end: number): void {
    this.entries[at] = entry;
    this.stems[at] = entry.stem;
    this.kinds[at] = entry.kinds;
    this.weights[at] = entry.weight;
    this.end[at] = end;
  }

  /** Adds the words [from, to) of another text. */
  append(words: Words, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const [start, end] = [words.start[at] as number, words.end[at] as number];
      const [shape, gap] = [words.shape[at] as number, words.gap[at] as number];
      this.push(words.entries[at] as Entry, start, end, shape, gap);
    }
  }

  clear(): void {
    this.count = 0;
    this.entries.length = 0;
    this.sentences.length = 0;
    this.endsAsking = false;
  }

  #grow(): void {
    const capacity = this.stems.length * 2 + 1;
    this.stems = grown(this.stems, new Int32Array(capacity));
    this.kinds = grown(this.kinds, new Int32Array(capacity));
    this.weights = grown(this.weights, new Float32Array(capacity));
    this.start = grown(this.start, new Int32Array(capacity));
    this.end = grown(this.end, new Int32Array(capacity));
    this.shape = grown(this.shape, new Uint8Array(capacity));
    this.gap = grown(this.gap, new Uint8Array(capacity));
  }
}

function grown<Column extends Int32Array | Float32Array | Uint8Array>(
  from: Column,
  to: Column,
): Column {
  to.set(from);
  return to;
}

/** A row of words: a sentence, several, or a part of one. */
export interface WordSpan {
  readonly words: Words;
  readonly from: number;
  /** Behind the last word. */
  readonly to: number;
  /** 1 where the claim as a whole is negated, as by an answer "no" to a question. */
  readonly negated: number;
}

/** The words from `from` to `to` (exclusive) of a text. */
export function wordSpanOf(words: Words, from: number, to: number, negated = 0): WordSpan {
  return { words, from, to, negated };
}

/** The words of a short text that is kept: no larger than need be. */
export function packWords(words: Words): Words {
  const { count, endsAsking } = words;
  return {
    count,
    entries: words.entries.slice(0, count),
    stems: words.stems.slice(0, count),
    kinds: words.kinds.slice(0, count),
    weights: words.weights.slice(0, count),
    start: words.start.slice(0, count),
    end: words.end.slice(0, count),
    shape: words.shape.slice(0, count),
    gap: words.gap.slice(0, count),
    sentences: [...words.sentences],
    endsAsking,
  };
}

/** Whether a word carries subject matter. */
export function isContent({ kinds }: Entry): boolean {
  return (kinds & KIND.function) === 0;
}
