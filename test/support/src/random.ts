/** A seeded source of numbers: the same seed gives the same row of numbers on every machine. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** One of `values`, which must not be empty. */
  pick<T>(values: readonly T[]): T;
  /** A number with mean 0 and standard deviation 1. */
  normal(): number;
  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(values: readonly T[]): T[];
}

/**
 * Makes a source of numbers from a seed, by the generator mulberry32 (32 bits of state, enough for
 * shuffling and templates; not for secrets).
 *
 * @param seed any whole number; its lowest 32 bits count
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick(values) {
      if (values.length === 0) throw new RangeError('nothing to pick from');
      return values[below(values.length)] as (typeof values)[number];
    },
    // Box-Muller; 1 - next() is never 0.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    shuffle(values) {
      const copy = [...values];
      for (let at = copy.length - 1; at > 0; at--) {
        const other = below(at + 1);
        const held = copy[at] as (typeof copy)[number];
        copy[at] = copy[other] as (typeof copy)[number];
        copy[other] = held;
      }
      return copy;
    },
  };
}

/** A 32-bit hash of a text (FNV-1a over UTF-16 units), to derive seeds and splits from names. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
