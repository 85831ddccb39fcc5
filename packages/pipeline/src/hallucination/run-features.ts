import type { WordSpan } from '../language/words.ts';
import { SOURCE_INDEX } from './source-features.ts';
import type { SourceIndex } from './source-index.ts';

/**
 * Adds how far a claim runs along the source word for word.
 *
 * @param numbers for each word of the claim its number in the source, or -1
 */
export function addRuns(
  features: Float32Array,
  { from, to }: WordSpan,
  index: SourceIndex,
  numbers: Int32Array,
): void {
  const count = to - from;
  let pairs = 0;
  let triples = 0;
  let run = 1;
  let longest = 1;
  let broken = 0;
  for (let at = 1; at < count; at++) {
    const paired = index.hasRow(numbers, at - 1, at + 1);
    if (paired) pairs++;
    else if ((numbers[at - 1] as number) >= 0 && (numbers[at] as number) >= 0) broken++;
    const tripled = paired && at > 1 && index.hasRow(numbers, at - 2, at + 1);
    if (tripled) triples++;
    if (paired && (run === 1 || tripled)) run++;
    else run = 1;
    if (run > longest) longest = run;
  }
  features[SOURCE_INDEX.pairShare] =
    count > 1 ? pairs / (count - 1) : Number((numbers[0] as number) >= 0);
  features[SOURCE_INDEX.tripleShare] = count > 2 ? triples / (count - 2) : 1;
  features[SOURCE_INDEX.longestRun] = longest / Math.max(1, count);
  features[SOURCE_INDEX.brokenPairs] = count > 1 ? broken / (count - 1) : 0;
}
