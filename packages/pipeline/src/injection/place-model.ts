import { readFileSync } from 'node:fs';
import type { TextScorer } from '../models/text-scorer.ts';
import { type BoostedTrees, readBoostedTrees } from '../trees/boosted-trees.ts';
import type { TextRange } from '../types.ts';
import { createPlaceReader, PLACE_FEATURES, type PlaceHeads } from './place-features.ts';

const TREES = new URL('../../../models/injection-place.bin', import.meta.url);

/** Which outputs of `injection.bin` the trees look at. */
export const PLACE_HEADS: PlaceHeads = { prompt: 0, request: 4, order: 5 };

/** A request that seems to have been planted. */
interface PlantedRequest extends TextRange {
  readonly score: number;
}

/** Looks for a planted request in the text that a scorer has taken up. */
export type PlaceJudge = (scorer: TextScorer) => PlantedRequest | undefined;

/** Loads the trees that tell from a request and its surroundings whether it belongs there. */
export function createPlaceJudge(trees: BoostedTrees = loadTrees()): PlaceJudge {
  const read = createPlaceReader(PLACE_HEADS);
  const values = new Float32Array(PLACE_FEATURES.length);
  return (scorer) => {
    const place = read(scorer, values);
    if (place === undefined) return undefined;
    const { starts, ends } = scorer.features();
    const score = Math.round(trees.score(values) * 1_000_000) / 1_000_000;
    return {
      start: starts[place.first] as number,
      end: ends[place.last - 1] as number,
      score,
    };
  };
}

function loadTrees(): BoostedTrees {
  return readBoostedTrees(readFileSync(TREES), PLACE_FEATURES.length);
}
