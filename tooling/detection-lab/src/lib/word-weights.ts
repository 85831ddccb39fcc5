import type { StemForms } from './stem-table.ts';
import type { WordCounts } from './word-counts.ts';

/** Steps of a nat in which weights are kept. */
export const WEIGHT_SCALE = 20;
const MAX_WEIGHT = 255;
const MIN_WEIGHT = 6;
/** Our texts count as much as the ranks where they have a word so often. */
const EVEN_AT = 40;
/** Words in fewer of our texts say nothing of how ranks and weights go together. */
const MIN_TEXTS = 20;
const RANK_SHIFT = 10;

/**
 * How much information each word carries, in twentieths of a nat: by the share of our texts that have it, and by its
 * rank, on a line in the logarithm of the rank that is fitted to the former.
 */
export function wordWeights(
  rows: readonly { readonly known: number; readonly own: number }[],
  known: readonly StemForms[],
  { texts, textCount }: WordCounts,
): Uint8Array {
  const ofTexts = (own: number) => Math.log(textCount / (texts[own] as number));
  const ofRank = (at: number) => Math.log((known[at] as StemForms).rank + RANK_SHIFT);
  const shared = rows.filter(
    ({ known: at, own }) => at >= 0 && own >= 0 && (texts[own] as number) >= MIN_TEXTS,
  );
  const line = fitLine(shared.map((row) => [ofRank(row.known), ofTexts(row.own)]));
  return Uint8Array.from(rows, ({ known: at, own }) => {
    const byRank = at < 0 ? undefined : line(ofRank(at));
    const byTexts = own < 0 ? undefined : ofTexts(own);
    const share = own < 0 ? 0 : (texts[own] as number) / ((texts[own] as number) + EVEN_AT);
    const nats = share * (byTexts ?? 0) + (1 - share) * (byRank ?? byTexts ?? 0);
    const weight = Math.round(
      (byTexts === undefined || byRank !== undefined ? nats : byTexts) * WEIGHT_SCALE,
    );
    return Math.min(MAX_WEIGHT, Math.max(MIN_WEIGHT, weight));
  });
}

/** The straight line nearest to some points. */
function fitLine(points: readonly (readonly [number, number])[]): (x: number) => number {
  const count = points.length;
  const [sumX, sumY] = points.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  const [meanX, meanY] = [sumX / count, sumY / count];
  let spread = 0;
  let common = 0;
  for (const [x, y] of points) {
    spread += (x - meanX) ** 2;
    common += (x - meanX) * (y - meanY);
  }
  const slope = common / spread;
  return (x) => meanY + slope * (x - meanX);
}
