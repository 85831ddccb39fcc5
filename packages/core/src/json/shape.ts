import { ProbityError } from '../errors.ts';
import type { Steps } from './steps.ts';

/** Bodies nested deeper than this are rejected: the API has none, and recursion is bounded. */
export const MAX_JSON_DEPTH = 64;

/** Bodies with more values than this are rejected: the API has none. */
export const MAX_JSON_VALUES = 500_000;

/** Objects with more members than this are rejected: V8 takes disproportionately long for them. */
const MAX_JSON_MEMBERS = 20_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** Bytes outside of strings, or strings, between two steps. */
const STEP = 50_000;

/** Counts of a JSON text. */
export interface JsonShape {
  /** Commas: the number of values is higher by at most the number of arrays and objects, and one. */
  readonly commas: number;
  /** Members of all objects; duplicate names count each time. */
  readonly members: number;
}

/**
 * Counts the parts of a JSON text on its bytes, before anything is allocated for them.
 * @param bytes JSON in UTF-8; the counts of a malformed text have no meaning
 * @throws ProbityError `invalid_request` beyond {@link MAX_JSON_DEPTH}, {@link MAX_JSON_VALUES} or
 *   {@link MAX_JSON_MEMBERS}
 */
export function* measureJson(bytes: Uint8Array): Steps<JsonShape> {
  const { length } = bytes;
  const membersAt = new Uint32Array(MAX_JSON_DEPTH + 1);
  let [depth, commas, members, count] = [0, 0, 0, 0];
  for (let at = 0; at < length; at += 1) {
    count += 1;
    if (count % STEP === 0) yield;
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at);
        break;
      case COMMA:
        commas += 1;
        if (commas >= MAX_JSON_VALUES) throw tooManyValues();
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
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth = Math.max(depth - 1, 0);
    }
  }
  return { commas, members };
}

/** Index of the closing quote of the string that begins at `start`, or the length of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = bytes.indexOf(QUOTE, at);
    if (at < 0) return bytes.length;
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
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
