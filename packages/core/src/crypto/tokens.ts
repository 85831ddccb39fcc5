import { crc32 } from 'node:zlib';
import type { TokenPrefix } from '../contract/prefixes.ts';
import { TOKEN_PREFIXES } from '../contract/prefixes.ts';
import type { Random } from './random.ts';
import { randomBase62, toBase62 } from './random.ts';

/** Number of leading characters of a token that are stored and shown to identify it. */
export const VISIBLE_TOKEN_LENGTH = 12;

const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const TOKEN = new RegExp(`^(?:${TOKEN_PREFIXES.join('|')})([0-9A-Za-z]{32})([0-9A-Za-z]{6})$`);

/**
 * Creates a token: the prefix, 32 random base-62 characters (190 bits) and a checksum, the CRC-32
 * of those 32 characters in 6 base-62 characters. The fixed form lets secret scanners find leaked
 * tokens and lets the server reject a mistyped token without a look-up.
 */
export function mintToken(prefix: TokenPrefix, random: Random): string {
  const body = randomBase62(random, RANDOM_LENGTH);
  return prefix + body + toChecksum(body);
}

/** Whether `text` has the form and the checksum of a token with this prefix. */
export function isWellFormedToken(prefix: TokenPrefix, text: string): boolean {
  const match = text.startsWith(prefix) ? TOKEN.exec(text) : null;
  return match !== null && toChecksum(match[1] as string) === match[2];
}

function toChecksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_LENGTH);
}
