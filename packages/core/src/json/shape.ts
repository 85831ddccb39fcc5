import { ProbityError } from '../errors.ts';
import type { Steps } from './steps.ts';

/** Bodies nested deeper than this are rejected: the API has none, and recursion is bounded. */
export const MAX_JSON_DEPTH = 64;

/** Bodies with more values than this are rejected: the API has none. */
export const MAX_JSON_VALUES = 500_000;

/** Objects with more members than this are rejected: V8 takes disproportionately long for them. */
const MAX_JSON_MEMBERS = 20_000;

/** Longer numbers are rejected, in bytes: no double needs more than 800, and parsers build them slowly. */
const MAX_NUMBER_LENGTH = 1_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

const NUMBER_BYTES: ReadonlySet<number | undefined> = new Set(Buffer.from('0123456789.eE+-'));

/** Bytes outside of strings, or strings, between two steps. */
const STEP = 50_000;

/** Counts of a JSON text. */
export interface JsonShape {
  /** Elements of all arrays and members of all objects. */
  readonly values: number;
  /** Members of all objects; duplicate names count each time. */
  readonly members: number;
  /** Escape sequences in strings. */
  readonly escapes: number;
}

/**
 * Counts the parts of a JSON text on its bytes, before anything is allocated for them.
 * @param bytes JSON in UTF-8; the counts of a malformed text have no meaning
 * @throws ProbityError `invalid_request` beyond {@link MAX_JSON_DEPTH}, {@link MAX_JSON_VALUES},
 *   {@link MAX_JSON_MEMBERS} or {@link MAX_NUMBER_LENGTH}
 */
export function* measureJson(bytes: Uint8Array): Steps<JsonShape> {
  const { length } = bytes;
  const strings = new StringEnds(bytes);
  const membersAt = new Uint32Array(MAX_JSON_DEPTH + 1);
  let [depth, values, members, count] = [0, 0, 0, 0];
  let isEmpty = false;
  for (let at = 0; at < length; at += 1) {
    count += 1;
    if (count >= STEP) {
      count = 0;
      yield;
    }
    const byte = bytes[at] as number;
    switch (byte) {
      case QUOTE:
        at = strings.endOf(at);
        isEmpty = false;
        break;
      case COMMA:
        values += 1;
        isEmpty = false;
        break;
      case COLON: {
        members += 1;
        const ofObject = (membersAt[depth] ?? 0) + 1;
        if (ofObject > MAX_JSON_MEMBERS) {
          throw refusal(`The body holds an object of more than ${MAX_JSON_MEMBERS} members.`);
        }
        membersAt[depth] = ofObject;
        break;
      }
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        if (depth > MAX_JSON_DEPTH) throw tooDeep();
        membersAt[depth] = 0;
        isEmpty = true;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth = Math.max(depth - 1, 0);
        // Commas stand between values: there is one value more.
        if (!isEmpty) values += 1;
        isEmpty = false;
        break;
      default:
        if (byte <= SPACE) break;
        isEmpty = false;
        if (isDigit(byte)) {
          const end = endOfNumber(bytes, at);
          count += end - at;
          at = end - 1;
        }
    }
    if (values > MAX_JSON_VALUES) throw tooManyValues();
  }
  return { values, members, escapes: strings.escapes };
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/**
 * Index behind the number that begins at `start`.
 * @throws ProbityError `invalid_request` beyond {@link MAX_NUMBER_LENGTH}
 */
function endOfNumber(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at += 1) {
    if (!NUMBER_BYTES.has(bytes[at])) return at;
    if (at - start < MAX_NUMBER_LENGTH) continue;
    throw refusal(
      `The body holds a number of more than ${MAX_NUMBER_LENGTH} digits at position ${start}.`,
    );
  }
}

/** Finds the ends of the strings of a JSON text, from the first on, and counts their escapes. */
class StringEnds {
  escapes = 0;
  readonly #bytes: Uint8Array;
  #backslash = -1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Index of the closing quote of the string that begins at `start`, or the length of the text. */
  endOf(start: number): number {
    const bytes = this.#bytes;
    const quote = bytes.indexOf(QUOTE, start + 1);
    if (quote < 0) return bytes.length;
    if (this.#backslash <= start) {
      const next = bytes.indexOf(BACKSLASH, start + 1);
      this.#backslash = next < 0 ? bytes.length : next;
    }
    for (let at = Math.min(quote, this.#backslash); at < bytes.length; at += 1) {
      if (bytes[at] === QUOTE) return at;
      if (bytes[at] !== BACKSLASH) continue;
      this.escapes += 1;
      at += 1;
    }
    return bytes.length;
  }
}

/** The error for a body beyond {@link MAX_JSON_DEPTH}. */
export function tooDeep(): ProbityError {
  return refusal(`The body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
}

/** The error for a body beyond {@link MAX_JSON_VALUES}. */
export function tooManyValues(): ProbityError {
  return refusal(`The body holds more than ${MAX_JSON_VALUES} values.`);
}

function refusal(message: string): ProbityError {
  return new ProbityError('invalid_request', message);
}
