import type { Members } from './message-place.ts';

/** A token and its bytes, as a provider logs them with an answer. */
interface Token {
  readonly token?: unknown;
  readonly bytes?: unknown;
}

/** The form of a token that is a part of a character. */
const ESCAPED_BYTES = /^(?:\\x[0-9a-f]{2})+$/;
/** A token without a digit is a piece of a word; a shorter one is too short for a value. */
const VALUE = /^(?=.*\d).{7}|@/s;
/** Digits in a row that may be a number of something. */
const LEAST_DIGITS = 9;
/** Log odds that providers name for a token that cannot be are above it. */
const LEAST_ODDS = -1e5;
/** Other numbers, such as the rank and the number of a token, are below it. */
const MOST = 1e8;

/**
 * Whether log odds repeat the text of their answer, which is scanned: they have the same tokens, and the
 * tokens that could have been in their places are pieces of words.
 *
 * @param odds the list of tokens
 */
export function repeatsText(odds: unknown, text: string): boolean {
  if (!Array.isArray(odds)) return false;
  const pieces: Buffer[] = [];
  // Tokens that could have been may spell a number in pieces, whichever of each place.
  let digits = 0;
  for (const entry of odds as unknown[]) {
    const piece = pieceOf(entry);
    if (piece === undefined) return false;
    pieces.push(piece);
    const { top_logprobs: others = [], ...own } = entry as Members;
    if (!isPlain(own) || !Array.isArray(others)) return false;
    let most = 0;
    for (const other of others as unknown[]) {
      const given = pieceOf(other);
      if (given === undefined || !isPlain(other as Members)) return false;
      const alternative = given.toString('utf8');
      if (VALUE.test(alternative)) return false;
      const count = alternative.match(/\d/g)?.length ?? 0;
      // The token itself is in the text.
      if (!given.equals(piece)) most = Math.max(most, count);
    }
    digits = most === 0 ? 0 : digits + most;
    if (digits >= LEAST_DIGITS) return false;
  }
  return Buffer.concat(pieces).equals(Buffer.from(text));
}

/** The bytes of a token; undefined where it is none, or its bytes are others. */
function pieceOf(entry: unknown): Buffer | undefined {
  const { token, bytes } = (entry ?? {}) as Token;
  if (typeof token !== 'string') return undefined;
  if ((bytes ?? null) === null) return Buffer.from(token);
  if (!Array.isArray(bytes) || !bytes.every(isByte)) return undefined;
  const given = Buffer.from(bytes as number[]);
  return given.toString('utf8') === token || ESCAPED_BYTES.test(token) ? given : undefined;
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xff;
}

/** Whether there is nothing but a token, its bytes and numbers as odds have. */
function isPlain(entry: Members): boolean {
  return Object.entries(entry).every(([name, value]) => {
    if (name === 'token' || name === 'bytes' || value === null) return true;
    if (typeof value !== 'number') return false;
    return name === 'logprob' ? value <= 0 && value > LEAST_ODDS : Math.abs(value) < MOST;
  });
}
