import { v7 } from 'uuid';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import type { IdPrefix } from './contract/prefixes.ts';
import type { Random } from './crypto/random.ts';
import { systemRandom } from './crypto/random.ts';

/** Generates identifiers. */
export interface Ids {
  /**
   * A new identifier such as `org_06awt1…`: opaque to clients, increasing over time, and those of one
   * generator within a millisecond as well.
   */
  next(prefix: IdPrefix): string;
}

// Lower case only, so that PostgreSQL's locale-aware orders agree with byte order.
const ALPHABET = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz');
/** Number of characters that encode 16 bytes. */
const TEXT_LENGTH = 26;

/**
 * Identifiers of a prefix and 26 characters of Crockford's base 32 over a UUID version 7
 * (RFC 9562, section 5.7): 48 bits of milliseconds, then a sequence of 32 bits that begins at random in each
 * millisecond, then random bits. So text order is time order to the millisecond, and the order of the calls within
 * it: the events of a transaction are mostly of one.
 */
export function createIds(clock: Clock = systemClock, random: Random = systemRandom): Ids {
  const text = Buffer.alloc(TEXT_LENGTH);
  const uuid = new Uint8Array(16);
  let last = { msecs: Number.NaN, seq: 0 };
  return {
    next(prefix) {
      const bytes = random(20);
      const msecs = clock.now().getTime();
      last = { msecs, seq: msecs === last.msecs ? last.seq + 1 : toSequence(bytes) };
      const options = { ...last, random: bytes };
      return `${prefix}_${toBase32(v7(options, uuid), text)}`;
    },
  };
}

/**
 * A UUID version 7 (RFC 9562, section 5.7), for kinds of resources whose identifiers have no prefix.
 */
export function createUuid({ clock, random }: { clock: Clock; random: Random }): string {
  const bytes = random(20);
  return v7({ msecs: clock.now().getTime(), random: bytes, seq: toSequence(bytes) });
}

/** The last four of 20 bytes as a number of 31 bits, to which one of 32 bits has as much to add again. */
function toSequence(bytes: Uint8Array): number {
  let value = (bytes[16] as number) & 0x7f;
  for (let index = 17; index < 20; index += 1) value = value * 256 + (bytes[index] as number);
  return value;
}

/** @param text accumulates the characters; one string at the end costs half of 26 appends */
function toBase32(bytes: Uint8Array, text: Buffer): string {
  let value = 0;
  let bits = 0;
  let length = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text[length] = ALPHABET[(value >>> bits) & 31] as number;
      length += 1;
    }
    value &= (1 << bits) - 1;
  }
  text[length] = ALPHABET[(value << (5 - bits)) & 31] as number;
  return text.toString('latin1');
}
