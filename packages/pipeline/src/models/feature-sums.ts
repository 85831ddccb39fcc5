import type { LinearModel } from './model-file.ts';
import type { TextFeatures } from './text-features.ts';
import { eachWordHash } from './word-hashes.ts';

/** Words whose sums are kept, in pairs of places; a power of two. */
const KEPT = 16_384;
/** What comes before a word's sums: its two hashes. */
const HEADER = 2;

/**
 * Writes the running sums of every head over the segments of a text: `heads` numbers for the
 * segments before each, so those of segment i stand at (i + 1) * heads.
 */
export type FeatureSums = (features: TextFeatures, into: Float64Array) => void;

/**
 * Makes the function that adds up a model's weights. What a word weighs, its letters included, is
 * kept for the words that came last, since most words of a text are common ones.
 */
export function createFeatureSums(model: LinearModel): FeatureSums {
  const { weights } = model;
  const heads = model.heads.length;
  const steps = model.heads.map(({ step }) => step);
  const mask = 2 ** model.bits - 1;
  const stride = heads + HEADER;
  const kept = new Int32Array(KEPT * stride);
  const sum = new Int32Array(heads);
  const last: LastReading = { features: undefined, readings: 0, sums: new Int32Array(64 * heads) };

  /** Where in `kept` the sums of a word stand. */
  function placeOf(features: TextFeatures, at: number): number {
    const word = features.words[at] as number;
    const check = features.checks[at] as number;
    const slot = (word ^ (word >>> 13)) & (KEPT - 1);
    const first = slot * stride;
    if (kept[first] === word && kept[first + 1] === check) return first + HEADER;
    const second = (slot ^ 1) * stride;
    if (kept[second] === word && kept[second + 1] === check) return second + HEADER;
    kept.copyWithin(second, first, first + stride);
    keep(features, at, first);
    return first + HEADER;
  }

  function keep(features: TextFeatures, at: number, base: number): void {
    const { text, wordStarts, wordEnds, words, checks } = features;
    const word = words[at] as number;
    kept[base] = word;
    kept[base + 1] = checks[at] as number;
    kept.fill(0, base + HEADER, base + stride);
    eachWordHash(text, wordStarts[at] as number, wordEnds[at] as number, word, (hash) => {
      const place = (hash & mask) * heads;
      for (let head = 0; head < heads; head++) {
        const to = base + HEADER + head;
        kept[to] = (kept[to] as number) + (weights[place + head] as number);
      }
    });
  }

  function addSix(features: TextFeatures, segment: number): void {
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    let fifth = 0;
    let sixth = 0;
    const { distinct, firstDistinct } = features;
    const lastWord = firstDistinct[segment + 1] as number;
    for (let at = firstDistinct[segment] as number; at < lastWord; at++) {
      const place = placeOf(features, distinct[at] as number);
      first += kept[place] as number;
      second += kept[place + 1] as number;
      third += kept[place + 2] as number;
      fourth += kept[place + 3] as number;
      fifth += kept[place + 4] as number;
      sixth += kept[place + 5] as number;
    }
    const { hashes } = features;
    const lastHash = features.firstHash[segment + 1] as number;
    for (let at = features.firstHash[segment] as number; at < lastHash; at++) {
      const place = ((hashes[at] as number) & mask) * 6;
      first += weights[place] as number;
      second += weights[place + 1] as number;
      third += weights[place + 2] as number;
      fourth += weights[place + 3] as number;
      fifth += weights[place + 4] as number;
      sixth += weights[place + 5] as number;
    }
    sum[0] = first;
    sum[1] = second;
    sum[2] = third;
    sum[3] = fourth;
    sum[4] = fifth;
    sum[5] = sixth;
  }

  function addAny(features: TextFeatures, segment: number): void {
    sum.fill(0);
    const { distinct, firstDistinct } = features;
    const lastWord = firstDistinct[segment + 1] as number;
    for (let at = firstDistinct[segment] as number; at < lastWord; at++) {
      const place = placeOf(features, distinct[at] as number);
      for (let head = 0; head < heads; head++) {
        sum[head] = (sum[head] as number) + (kept[place + head] as number);
      }
    }
    const lastHash = features.firstHash[segment + 1] as number;
    for (let at = features.firstHash[segment] as number; at < lastHash; at++) {
      const place = ((features.hashes[at] as number) & mask) * heads;
      for (let head = 0; head < heads; head++) {
        sum[head] = (sum[head] as number) + (weights[place + head] as number);
      }
    }
  }

  // Sums in variables of their own take half the time of sums in a table.
  const addSegment = heads === 6 ? addSix : addAny;
  return (features, into) => {
    const before = last.features;
    const isKnown = before !== features && before?.readings === last.readings;
    // What a segment adds stands where it stood in the text before, which this one may be a form of.
    const most = (isKnown ? before.segments : 0) * heads;
    if (last.sums.length < features.segments * heads) {
      const grown = new Int32Array(features.segments * heads * 2);
      grown.set(last.sums);
      last.sums = grown;
    }
    const { sums } = last;
    for (let segment = 0; segment < features.segments; segment++) {
      const from = segment * heads;
      if (from < most && isSameSegment(features, before as TextFeatures, segment)) {
        for (let head = 0; head < heads; head++) sum[head] = sums[from + head] as number;
      } else {
        addSegment(features, segment);
        for (let head = 0; head < heads; head++) sums[from + head] = sum[head] as number;
      }
      const base = (segment + 1) * heads;
      for (let head = 0; head < heads; head++) {
        into[base + head] =
          (into[base + head - heads] as number) + (sum[head] as number) * (steps[head] as number);
      }
    }
    last.features = features;
    last.readings = features.readings;
  };
}

/** What the segments of the text that was read last add, head by head, as long as its features are there. */
interface LastReading {
  features: TextFeatures | undefined;
  readings: number;
  sums: Int32Array;
}

/** Whether segment number `segment` has the same words in two texts. */
function isSameSegment(one: TextFeatures, other: TextFeatures, segment: number): boolean {
  const from = one.firstWord[segment] as number;
  const length = (one.firstWord[segment + 1] as number) - from;
  const start = other.firstWord[segment] as number;
  if ((other.firstWord[segment + 1] as number) - start !== length) return false;
  for (let at = 0; at < length; at++) {
    if (one.words[from + at] !== other.words[start + at]) return false;
    if (one.checks[from + at] !== other.checks[start + at]) return false;
  }
  return true;
}
