import { randomBytes } from 'node:crypto';

/** Returns `size` unpredictable bytes; a test may pass a seeded source. */
export type Random = (size: number) => Uint8Array;

const POOL_SIZE = 8_192;

/** The operating system's generator, read in large blocks; no byte is returned twice. */
export const systemRandom: Random = createPooledRandom();

function createPooledRandom(): Random {
  let pool = new Uint8Array();
  let used = 0;
  return (size) => {
    if (size > POOL_SIZE / 8) return randomBytes(size);
    if (used + size > pool.length) {
      // Not a Buffer, whose slices share the bytes that are erased next.
      pool = new Uint8Array(randomBytes(POOL_SIZE));
      used = 0;
    }
    const bytes = pool.slice(used, used + size);
    pool.fill(0, used, used + size);
    used += size;
    return bytes;
  };
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` characters of `0-9A-Za-z`, each equally likely (bytes that would favor some are dropped). */
export function randomBase62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A number from 0 (inclusive) to 1 (exclusive); each of the 2^32 values is equally likely. */
export function randomFraction(random: Random): number {
  return random(4).reduce((value, byte) => value * 256 + byte, 0) / 2 ** 32;
}

/** A non-negative integer below 62^width in base 62, padded with zeros to `width` characters. */
export function toBase62(value: number, width: number): string {
  let rest = value;
  let text = '';
  for (let index = 0; index < width; index += 1) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
