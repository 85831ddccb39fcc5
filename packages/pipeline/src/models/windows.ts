/** How a sum of weights becomes a score: sum / max(tokens, floor) ** power. */
export interface WindowScale {
  /** Windows with fewer tokens count as this many. */
  readonly floor: number;
  readonly power: number;
}

/** The segments from `first` up to `last`, and their score in log-odds without the bias. */
export interface Window {
  first: number;
  last: number;
  score: number;
}

/** How many segments a window has: one sentence, a few, a paragraph, a page. */
export const WINDOW_SIZES: readonly number[] = [1, 2, 3, 4, 6, 9, 13, 24];

/** Differences of running sums are not exact, and a wider window must earn its width. */
const LEAST_GAIN = 1e-9;

/**
 * The window with the highest score of one head. One hostile sentence in a long text is seen in a
 * small window, a message spread over many sentences in a large one; what stands elsewhere in the
 * text does not matter.
 *
 * @param sums running sums per segment and head: `heads` numbers for the segments before each
 * @param tokens running sums of tokens, likewise
 * @param segments how many segments there are
 * @param into is given the result; its score is -Infinity without any segment
 */
export function findBestWindow(
  sums: Float64Array,
  tokens: Float64Array,
  segments: number,
  place: { readonly head: number; readonly heads: number },
  scale: WindowScale,
  into: Window,
): void {
  into.score = Number.NEGATIVE_INFINITY;
  const { head, heads } = place;
  for (const width of WINDOW_SIZES) {
    if (width > segments) return;
    for (let last = width; last <= segments; last++) {
      const first = last - width;
      const sum = (sums[last * heads + head] as number) - (sums[first * heads + head] as number);
      const count = (tokens[last] as number) - (tokens[first] as number);
      const score = sum / divisor(count, scale);
      if (score > into.score + LEAST_GAIN) {
        into.first = first;
        into.last = last;
        into.score = score;
      }
    }
  }
}

/** What the sum of a window of so many tokens is divided by. */
export function divisor(tokens: number, { floor, power }: WindowScale): number {
  const count = tokens > floor ? tokens : floor;
  return power === 0.5 ? Math.sqrt(count) : count ** power;
}
