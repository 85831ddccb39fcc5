import { type Entry, KIND, type Lexicon } from '../language/lexicon.ts';
import { type Stretch, stretchOf } from '../language/pair-features.ts';
import { createPostings, type Postings } from '../language/postings.ts';
import { readWords } from '../language/sentences.ts';

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
   * Numbers of the nuggets that share most with a row of words, best first; none that shares less
   * than a fifth of what the row tells.
   */
  nearest(entries: readonly Entry[], count: number): number[];
  /** The words of a nugget. */
  stretch(nugget: number): Stretch;
}

interface Columns {
  readonly keys: number[];
  readonly owners: number[];
}

interface Side {
  readonly postings: Postings;
  readonly owners: Int32Array;
}

const SENSE_SALT = 0x5bd1e995;
const SENSE_SHARE = 0.6;
/** Places looked at for one claim in all: the rarest words come first, so the rest tells little. */
const MAX_PLACES = 30_000;
const LEAST_SHARE = 0.2;
/** Nuggets whose words are kept once read. */
const MAX_STRETCHES = 2048;

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
      for (const sense of entry.senses) add(senses, Math.imul(sense, SENSE_SALT) || 1, number);
    }
  });
  const byStem = toSide(stems);
  const bySense = toSide(senses);
  const scores = createTally(nuggets.length);
  let stretches = new Map<number, Stretch>();
  return {
    nuggets,
    nearest: (entries, count) => nearest({ entries, count, byStem, bySense, weights, scores }),
    stretch(nugget) {
      const held = stretches.get(nugget);
      if (held !== undefined) return held;
      if (stretches.size >= MAX_STRETCHES) stretches = new Map();
      const words = readWords(lexicon, nuggets[nugget]?.claim ?? '');
      const made = stretchOf(words, 0, words.count);
      stretches.set(nugget, made);
      return made;
    },
  };
}

function add({ keys, owners }: Columns, key: number, owner: number): void {
  keys.push(key || 1);
  owners.push(owner);
}

function toSide({ keys, owners }: Columns): Side {
  return { postings: createPostings(Int32Array.from(keys)), owners: Int32Array.from(owners) };
}

interface Search {
  readonly entries: readonly Entry[];
  readonly count: number;
  readonly byStem: Side;
  readonly bySense: Side;
  readonly weights: Float32Array;
  readonly scores: Tally;
}

/** Sums by nugget number; empty again after each use. */
interface Tally {
  readonly sums: Float32Array;
  readonly touched: number[];
}

function createTally(size: number): Tally {
  return { sums: new Float32Array(size), touched: [] };
}

interface Look {
  readonly side: Side;
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

function nearest({ entries, count, byStem, bySense, weights, scores }: Search): number[] {
  const looks: Look[] = [];
  let total = 0;
  const nuggets = weights.length;
  const look = (side: Side, key: number, weight: number): boolean => {
    const from = side.postings.find(key);
    if (from < 0) return false;
    const to = side.postings.endOf(from);
    // What a word tells in this knowledge base as well as in general.
    const share = weight * (0.3 + Math.log((nuggets + 1) / (to - from)) / Math.log(nuggets + 2));
    looks.push({ side, from, to, share });
    return true;
  };
  for (const entry of entries) {
    if ((entry.kinds & KIND.function) !== 0) continue;
    total += entry.weight;
    const found = look(byStem, entry.stem || 1, entry.weight);
    const share = found ? 0.3 * SENSE_SHARE : SENSE_SHARE;
    for (const sense of entry.senses) {
      look(
        bySense,
        Math.imul(sense, SENSE_SALT) || 1,
        (share * entry.weight) / entry.senses.length,
      );
    }
  }
  addUp(looks, scores);
  return best(scores, weights, count, LEAST_SHARE * total);
}

function addUp(looks: Look[], { sums, touched }: Tally): void {
  looks.sort((a, b) => a.to - a.from - (b.to - b.from));
  let places = 0;
  for (const { side, from, to, share } of looks) {
    places += to - from;
    if (places > MAX_PLACES && touched.length > 0) break;
    let last = -1;
    for (let at = from; at < to; at++) {
      const owner = side.owners[side.postings.places[at] as number] as number;
      if (owner === last) continue;
      last = owner;
      if (sums[owner] === 0) touched.push(owner);
      sums[owner] = (sums[owner] as number) + share;
    }
  }
}

/** The best by what is shared, less for long nuggets, which share something with everything. */
function best(
  { sums, touched }: Tally,
  weights: Float32Array,
  count: number,
  least: number,
): number[] {
  const held: [number, number][] = [];
  for (const nugget of touched) {
    const shared = sums[nugget] as number;
    sums[nugget] = 0;
    if (shared < least) continue;
    const score = shared / (12 + (weights[nugget] as number));
    let at = held.length;
    while (at > 0 && (held[at - 1] as [number, number])[1] < score) at--;
    if (at >= count) continue;
    held.splice(at, 0, [nugget, score]);
    if (held.length > count) held.pop();
  }
  touched.length = 0;
  return held.map(([nugget]) => nugget);
}
