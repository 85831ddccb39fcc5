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
  const options = { msecs: Number.NaN, seq: 0, random: new Uint8Array() as Uint8Array };
  return {
    next(prefix) {
      const msecs = clock.now().getTime();
      options.random = random(20);
      options.seq = msecs === options.msecs ? options.seq + 1 : toSequence(options.random);
      options.msecs = msecs;
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
  let length = 0;
  for (let at = 0; at < 15; at += 5) {
    const middle = byteAt(bytes, at + 2);
    const head = (byteAt(bytes, at) << 12) | (byteAt(bytes, at + 1) << 4);
    length = add20Bits(head | (middle >>> 4), text, length);
    const rest = (byteAt(bytes, at + 3) << 8) | byteAt(bytes, at + 4);
    length = add20Bits(((middle & 15) << 16) | rest, text, length);
  }
  const last = byteAt(bytes, 15);
  text[length] = ALPHABET[last >>> 3] as number;
  text[length + 1] = ALPHABET[(last << 2) & 31] as number;
  return text.toString('latin1');
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

function add20Bits(value: number, text: Buffer, at: number): number {
  text[at] = ALPHABET[value >>> 15] as number;
  text[at + 1] = ALPHABET[(value >>> 10) & 31] as number;
  text[at + 2] = ALPHABET[(value >>> 5) & 31] as number;
  text[at + 3] = ALPHABET[value & 31] as number;
  return at + 4;
}
