import type { Entry, Lexicon } from '../language/lexicon.ts';
import { KIND } from '../language/lexicon.ts';
import type { Postings } from '../language/postings.ts';
import { createPostings } from '../language/postings.ts';
import { readWords } from '../language/sentences.ts';
import type { WordSpan } from '../language/words.ts';
import { wordSpanOf } from '../language/words.ts';

/** A statement that is taken for true. */
export interface Nugget {
  readonly claim: string;
  /** What the caller calls it, where given. */
  readonly id?: string;
}

/** All nuggets, with the places of their words and of what can stand for these. */
export interface KnowledgeIndex {
  readonly nuggets: readonly Nugget[];
  /**
   * Numbers of the nuggets that share most with a claim, best first; none that shares less than a
   * fifth of the information of the claim.
   */
  nearest(claim: WordSpan, count: number): readonly number[];
  /** The words of a nugget. */
  span(nugget: number): WordSpan;
}

interface Columns {
  readonly keys: number[];
  readonly owners: number[];
}

/** Which nuggets have a key: for each place in the postings the number of its nugget, each once. */
interface Side {
  readonly postings: Postings;
  readonly owners: Int32Array;
}

const SENSE_SALT = 0x5bd1e995;
const SENSE_SHARE = 0.6;
/** What the synonyms of a word count that the knowledge base has itself. */
const BESIDE_SHARE = 0.3;
/** Places looked at for one claim in all: the rarest words come first, so the rest adds little. */
const MAX_PLACES = 30_000;
const LEAST_SHARE = 0.2;
const ABSENT_SLOTS = 4096;
const NONE: readonly number[] = Object.freeze([]);
/** Nuggets whose words are kept once read. */
const MAX_SPANS = 2048;

/** Reads all nuggets once and makes the index; some microseconds a nugget. */
export function createKnowledgeIndex(nuggets: readonly Nugget[], lexicon: Lexicon): KnowledgeIndex {
  const stems: Columns = { keys: [], owners: [] };
  const senses: Columns = { keys: [], owners: [] };
  const weights = new Float32Array(nuggets.length);
  nuggets.forEach(({ claim }, number) => {
    for (const entry of readWords(lexicon, claim).entries) {
      if ((entry.kinds & KIND.function) !== 0) continue;
      weights[number] = (weights[number] as number) + entry.weight;
      add(stems, entry.stem, number);
      for (const sense of entry.senses) add(senses, senseKey(sense), number);
    }
  });
  const search = new NearestSearch(toSide(stems), toSide(senses), weights);
  let spans: (WordSpan | undefined)[] = new Array(nuggets.length).fill(undefined);
  let held = 0;
  return {
    nuggets,
    nearest: (claim, count) => search.nearest(claim, count),
    span(nugget) {
      const known = spans[nugget];
      if (known !== undefined) return known;
      if (held++ >= MAX_SPANS) {
        spans = new Array(nuggets.length).fill(undefined);
        held = 1;
      }
      const words = readWords(lexicon, nuggets[nugget]?.claim ?? '');
      const made = wordSpanOf(words, 0, words.count);
      spans[nugget] = made;
      return made;
    },
  };
}

function senseKey(sense: number): number {
  return Math.imul(sense, SENSE_SALT) || 1;
}

function add({ keys, owners }: Columns, key: number, owner: number): void {
  keys.push(key || 1);
  owners.push(owner);
}

function toSide({ keys, owners }: Columns): Side {
  const postings = createPostings(Int32Array.from(keys));
  return { postings, owners: Int32Array.from(postings.places, (place) => owners[place] as number) };
}

/** Where the words of a claim lead, in columns: which side, a range of its owners, and their gain. */
class Looks {
  count = 0;
  sides: Side[] = [];
  from = new Int32Array(256);
  to = new Int32Array(256);
  share = new Float64Array(256);

  push(side: Side, from: number, to: number, share: number): void {
    const at = this.count++;
    if (at === this.from.length) this.#grow();
    this.sides[at] = side;
    this.from[at] = from;
    this.to[at] = to;
    this.share[at] = share;
  }

  /** The numbers of all looks, those with the fewest owners first. */
  rarestFirst(): number[] {
    const length = (at: number) => (this.to[at] as number) - (this.from[at] as number);
    return Array.from({ length: this.count }, (_, at) => at).sort((a, b) => length(a) - length(b));
  }

  #grow(): void {
    const { from, to, share } = this;
    this.from = new Int32Array(from.length * 2);
    this.to = new Int32Array(from.length * 2);
    this.share = new Float64Array(from.length * 2);
    this.from.set(from);
    this.to.set(to);
    this.share.set(share);
  }
}

/** Finds the nuggets that share most with a claim; its lists are used again for each claim. */
class NearestSearch {
  readonly #byStem: Side;
  readonly #bySense: Side;
  readonly #weights: Float32Array;
  readonly #logOfAll: number;
  /** What each nugget shares; all zero between calls. */
  readonly #sums: Float32Array;
  /** The nuggets that share anything; arrays that are emptied would be made anew each time. */
  readonly #touched: Int32Array;
  #touchedCount = 0;
  readonly #looks = new Looks();
  /** Numbers of entries that the knowledge base has nothing of; most words of a text are such. */
  readonly #absent = new Int32Array(ABSENT_SLOTS).fill(-1);

  constructor(byStem: Side, bySense: Side, weights: Float32Array) {
    this.#byStem = byStem;
    this.#bySense = bySense;
    this.#weights = weights;
    this.#logOfAll = Math.log(weights.length + 2);
    this.#sums = new Float32Array(weights.length);
    this.#touched = new Int32Array(weights.length);
  }

  nearest({ words, from, to }: WordSpan, count: number): readonly number[] {
    let total = 0;
    this.#looks.count = 0;
    for (let at = from; at < to; at++) {
      if (((words.kinds[at] as number) & KIND.function) !== 0) continue;
      const weight = words.weights[at] as number;
      total += weight;
      const entry = words.entries[at] as Entry;
      const slot = entry.id & (ABSENT_SLOTS - 1);
      if (this.#absent[slot] === entry.id) continue;
      if (!this.#lookFor(entry)) this.#absent[slot] = entry.id;
    }
    if (this.#looks.count === 0) return NONE;
    this.#addUp();
    return this.#chooseBest(count, LEAST_SHARE * total);
  }

  /** Looks for a word and its synonyms; whether the knowledge base has any of them. */
  #lookFor({ stem, senses, weight }: Entry): boolean {
    const found = this.#look(this.#byStem, stem || 1, weight);
    const share = (SENSE_SHARE * (found ? BESIDE_SHARE : 1) * weight) / senses.length;
    let alike = false;
    for (const sense of senses) alike = this.#look(this.#bySense, senseKey(sense), share) || alike;
    return found || alike;
  }

  #look(side: Side, key: number, weight: number): boolean {
    const from = side.postings.find(key);
    if (from < 0) return false;
    const to = side.postings.endOf(from);
    // The information of a word in this knowledge base as well as in general.
    const rarity = Math.log((this.#weights.length + 1) / (to - from)) / this.#logOfAll;
    const share = weight * (0.3 + rarity);
    this.#looks.push(side, from, to, share);
    return true;
  }

  #addUp(): void {
    const { count, from, to } = this.#looks;
    let places = 0;
    for (let at = 0; at < count; at++) places += (to[at] as number) - (from[at] as number);
    if (places > MAX_PLACES) this.#addRarest();
    else for (let at = 0; at < count; at++) this.#add(at);
  }

  /** Where not all places can be looked at. */
  #addRarest(): void {
    const { from, to } = this.#looks;
    let places = 0;
    for (const at of this.#looks.rarestFirst()) {
      places += (to[at] as number) - (from[at] as number);
      if (places > MAX_PLACES && this.#touchedCount > 0) break;
      this.#add(at);
    }
  }

  #add(look: number): void {
    const { owners } = this.#looks.sides[look] as Side;
    const share = this.#looks.share[look] as number;
    const end = this.#looks.to[look] as number;
    const sums = this.#sums;
    let last = -1;
    for (let at = this.#looks.from[look] as number; at < end; at++) {
      const owner = owners[at] as number;
      if (owner === last) continue;
      last = owner;
      if (sums[owner] === 0) this.#touched[this.#touchedCount++] = owner;
      sums[owner] = (sums[owner] as number) + share;
    }
  }

  /** The best by what is shared, less for long nuggets, which share something with everything. */
  #chooseBest(count: number, least: number): readonly number[] {
    const nearest: number[] = [];
    const scores: number[] = [];
    for (let number = 0; number < this.#touchedCount; number++) {
      const nugget = this.#touched[number] as number;
      const shared = this.#sums[nugget] as number;
      this.#sums[nugget] = 0;
      if (shared < least) continue;
      const score = shared / (12 + (this.#weights[nugget] as number));
      let at = nearest.length;
      if (at === count && score <= (scores[at - 1] as number)) continue;
      if (at < count) {
        nearest.push(nugget);
        scores.push(score);
      } else at--;
      for (; at > 0 && (scores[at - 1] as number) < score; at--) {
        nearest[at] = nearest[at - 1] as number;
        scores[at] = scores[at - 1] as number;
      }
      nearest[at] = nugget;
      scores[at] = score;
    }
    this.#touchedCount = 0;
    return nearest;
  }
}
