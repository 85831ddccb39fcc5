import { readModelBytes } from '../models/model-bytes.ts';
import type { TextScorer } from '../models/text-scorer.ts';
import type { BoostedTrees } from '../trees/boosted-trees.ts';
import { readBoostedTrees } from '../trees/boosted-trees.ts';
import type { TextRange } from '../types.ts';
import type { PlaceHeads } from './place-features.ts';
import { createPlaceReader, PLACE_FEATURES } from './place-features.ts';
import type { TopicTable } from './topic-vectors.ts';
import { readTopics } from './topic-vectors.ts';

/** Which outputs of `injection.bin` the trees look at. */
export const PLACE_HEADS: PlaceHeads = { prompt: 0, request: 4, order: 5 };

/** So far below a likely request is one that is not. */
const UNLIKELY = 7;

/** A likely request, and how likely it is embedded by another author (indirect prompt injection). */
interface EmbeddedRequest extends TextRange {
  readonly score: number;
}

/** What requests by their places say of a text. */
export interface PlaceVerdict {
  /** The likely requests, at most one a line. */
  readonly places: readonly EmbeddedRequest[];
  /** The score of the worst of them, or of a text that has none. */
  readonly worst: number;
}

/** Judges the likely requests of the text that a scorer has taken up. */
export type PlaceJudge = (scorer: TextScorer) => PlaceVerdict;

/** What a text without likely requests comes to, from how much its likeliest reads like one. */
export function unlikelySum(request: number): number {
  return request - UNLIKELY;
}

/** Loads the trees that decide from a request and its surroundings whether it belongs there. */
export function createPlaceJudge(
  trees: BoostedTrees = loadTrees(),
  topics: TopicTable = loadTopics(),
): PlaceJudge {
  const read = createPlaceReader(PLACE_HEADS, topics);
  return (scorer) => {
    const found: PlacedSum[] = [];
    const unlikely = read(scorer, ({ first, last }, values) => {
      const sum = trees.sum(values);
      const latest = found.at(-1);
      if (latest?.first !== first) found.push({ first, last, sum });
      else if (sum > latest.sum) latest.sum = sum;
    });
    const { starts, ends } = scorer.features();
    const places = found.map(({ first, last, sum }) => ({
      start: starts[first] as number,
      end: ends[last - 1] as number,
      score: toScore(trees, sum),
    }));
    const worst = places.reduce((most, { score }) => Math.max(most, score), 0);
    return { places, worst: Math.max(worst, toScore(trees, unlikelySum(unlikely))) };
  };
}

function toScore(trees: BoostedTrees, sum: number): number {
  return Math.round(trees.curveAt(sum) * 1_000_000) / 1_000_000;
}

interface PlacedSum {
  readonly first: number;
  readonly last: number;
  sum: number;
}

/** Loads the vectors of words by which a request is held against the text around it. */
export function loadTopics(): TopicTable {
  return readTopics(readModelBytes('injection-topics'));
}

function loadTrees(): BoostedTrees {
  return readBoostedTrees(readModelBytes('injection-place'), PLACE_FEATURES.length);
}
