import type { VectorMatch } from './types.ts';

/** A vector of length 1 in the same direction; null for one of zeros, which has none. */
export function toUnit(vector: Float32Array): Float32Array | null {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return null;
  const scale = 1 / Math.sqrt(sum);
  return vector.map((value) => value * scale);
}

/**
 * The product of a vector with one that begins in `values` at `from`, in double precision: of vectors of length 1 their
 * cosine. Every store ranks by it, so that all give the same matches in the same order.
 */
export function productOf(vector: Float32Array, values: Float32Array, from = 0): number {
  const { length } = vector;
  const whole = length - (length % 4);
  // Four sums, which the processor adds to at once.
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let at = 0; at < whole; at += 4) {
    one += (vector[at] as number) * (values[from + at] as number);
    two += (vector[at + 1] as number) * (values[from + at + 1] as number);
    three += (vector[at + 2] as number) * (values[from + at + 2] as number);
    four += (vector[at + 3] as number) * (values[from + at + 3] as number);
  }
  for (let at = whole; at < length; at++) {
    one += (vector[at] as number) * (values[from + at] as number);
  }
  return one + two + (three + four);
}

/** Nearest first, equally near ones by id. */
function byNearness(left: VectorMatch, right: VectorMatch): number {
  return right.similarity - left.similarity || (left.id < right.id ? -1 : 1);
}

/** The nearest of what was added, at most `count`. */
export class NearestMatches {
  readonly matches: VectorMatch[] = [];
  readonly #count: number;

  constructor(count: number) {
    this.#count = count;
  }

  add(id: string, similarity: number): void {
    const { matches } = this;
    const last = matches[this.#count - 1];
    if (this.#count < 1 || (last && similarity < last.similarity)) return;
    const match = { id, similarity };
    let at = matches.length;
    while (at > 0 && byNearness(match, matches[at - 1] as VectorMatch) < 0) at--;
    matches.splice(at, 0, match);
    if (matches.length > this.#count) matches.pop();
  }
}

/** A vector that an engine has found, with the distance by its own arithmetic. */
export interface Candidate {
  readonly id: string;
  /** Of length 1. */
  readonly vector: Float32Array;
  /** 1 minus the cosine. */
  readonly distance: number;
}

/** Beside those asked for: engines compute in single precision, and give equally near ones in no order. */
const SPARE = 16;
/** Twice as much as distances of engines differ from those in double precision. */
const NOISE = 1e-4;

/**
 * The nearest by {@link productOf} of what an engine finds by its own arithmetic.
 * @param query of length 1
 * @param find the nearest candidates, nearest first; at most `limit`
 */
export async function rankNearest(
  query: Float32Array,
  count: number,
  find: (limit: number) => Candidate[] | Promise<Candidate[]>,
): Promise<VectorMatch[]> {
  let limit = count + SPARE;
  let candidates = await find(limit);
  // All that may be as near as the last one that is asked for compete for its place.
  while (candidates.length === limit && mayCompete(candidates, count)) {
    limit *= 8;
    candidates = await find(limit);
  }
  const nearest = new NearestMatches(count);
  for (const { id, vector } of candidates) nearest.add(id, productOf(query, vector));
  return nearest.matches;
}

function mayCompete(candidates: readonly Candidate[], count: number): boolean {
  const [wanted, last] = [candidates[count - 1], candidates.at(-1)];
  return last !== undefined && wanted !== undefined && last.distance - wanted.distance <= NOISE;
}
