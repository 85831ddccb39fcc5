import { mixHash } from '../models/hashing.ts';
import type { TextFeatures } from '../models/text-features.ts';
import type { WordClasses } from './word-classes.ts';

const SINGLE = 0x0100_0000;
const PAIR = 0x0200_0000;
const GAP = 0x0400_0000;
const TRIPLE = 0x0600_0000;
const TOGETHER = 0x0800_0000;
const SPREAD = 0x85eb_ca6b;
/** Places to remember the hashes of a segment in; a power of two. */
const SEEN = 1024;
/** Classes of one segment that are joined with each other, wherever in it they stand. */
const MOST_TOGETHER = 8;
/** A word has at most four hashes, and a segment those of the classes together. */
const PER_WORD = 4;
const PER_SEGMENT = (MOST_TOGETHER * (MOST_TOGETHER - 1)) / 2;

/**
 * Hashes of the classes of a text's words, by segment: of each class that says something by itself,
 * and of pairs, pairs with a gap and triples of classes that follow each other when words without a
 * class are left out ("I KILL you" in whatever words), and of classes in one segment.
 */
export interface ClassFeatures {
  /** Hashes; segment i has those from `firstHash[i]` up to `firstHash[i + 1]`. */
  hashes: Int32Array;
  firstHash: Uint32Array;
  /** The hashes that the segment being read has already; 0 everywhere between segments. */
  readonly seen: Int32Array;
}

/** An empty buffer for readClassFeatures; it grows with the longest text read. */
export function createClassFeatures(): ClassFeatures {
  return {
    hashes: new Int32Array(1024),
    firstHash: new Uint32Array(64),
    seen: new Int32Array(SEEN),
  };
}

/**
 * Reads the classes of a text's words into `into`, in time linear in the text.
 *
 * @param content classes below this number say something by themselves; the others are words such
 *   as "I", "not", "should", which do so only beside one of them
 */
export function readClassFeatures(
  features: TextFeatures,
  classes: WordClasses,
  content: number,
  into: ClassFeatures,
): void {
  reserve(features, into);
  const reader = new ClassReader(content, into);
  for (let segment = 0; segment < features.segments; segment++) {
    const last = features.firstWord[segment + 1] as number;
    for (let at = features.firstWord[segment] as number; at < last; at++) {
      const number = classes.classOf(features.words[at] as number);
      if (number !== 0) reader.add(number);
    }
    into.firstHash[segment + 1] = reader.close();
  }
}

function reserve({ segments, firstWord }: TextFeatures, into: ClassFeatures): void {
  const most = (firstWord[segments] as number) * PER_WORD + segments * PER_SEGMENT;
  if (into.hashes.length < most) into.hashes = new Int32Array(most * 2);
  if (into.firstHash.length <= segments) into.firstHash = new Uint32Array(segments * 2 + 2);
}

class ClassReader {
  readonly #content: number;
  readonly #hashes: Int32Array;
  readonly #seen: Int32Array;
  readonly #together = new Uint8Array(MOST_TOGETHER);
  #present = 0;
  /** The first hash of the segment being read. */
  #first = 0;
  #count = 0;
  #previous = 0;
  #beforePrevious = 0;

  constructor(content: number, into: ClassFeatures) {
    this.#content = content;
    this.#hashes = into.hashes;
    this.#seen = into.seen;
  }

  add(number: number): void {
    const content = this.#content;
    const previous = this.#previous;
    const before = this.#beforePrevious;
    const informative = number < content;
    if (informative) {
      this.#emit(SINGLE + number);
      this.#join(number);
    }
    if (previous > 0 && (informative || previous < content))
      this.#emit(PAIR + pair(previous, number));
    if (before > 0) {
      if (informative || before < content) this.#emit(GAP + pair(before, number));
      if (informative || previous < content || before < content) {
        this.#emit(TRIPLE + Math.imul(pair(before, previous) * 256 + number, 31));
      }
    }
    this.#beforePrevious = previous;
    this.#previous = number;
  }

  /** Ends a segment; returns how many hashes there are by now. */
  close(): number {
    for (let at = 1; at < this.#present; at++) {
      for (let other = 0; other < at; other++) {
        const [a, b] = [this.#together[at] as number, this.#together[other] as number];
        this.#emit(TOGETHER + (a < b ? pair(a, b) : pair(b, a)));
      }
    }
    for (let at = this.#first; at < this.#count; at++) {
      this.#seen[(this.#hashes[at] as number) & (SEEN - 1)] = 0;
    }
    this.#first = this.#count;
    this.#present = 0;
    this.#previous = 0;
    this.#beforePrevious = 0;
    return this.#count;
  }

  #join(number: number): void {
    for (let at = 0; at < this.#present; at++) if (this.#together[at] === number) return;
    if (this.#present < MOST_TOGETHER) this.#together[this.#present++] = number;
  }

  #emit(feature: number): void {
    const hash = mixHash(feature, SPREAD);
    const place = hash & (SEEN - 1);
    if (this.#seen[place] === hash) return;
    this.#seen[place] = hash;
    this.#hashes[this.#count++] = hash;
  }
}

function pair(a: number, b: number): number {
  return a * 256 + b;
}
