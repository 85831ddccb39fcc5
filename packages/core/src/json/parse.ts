import { isUtf8 } from 'node:buffer';
import { JSONParser } from '@streamparser/json';
import { ProbityError, validationError } from '../errors.ts';
import { findRepeatedMember } from './repeated-member.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, measureJson, tooDeep, tooManyValues } from './shape.ts';
import type { Steps } from './steps.ts';
import { runAtOnce, runInSlices } from './steps.ts';

/** Larger bodies are parsed in slices, in bytes. */
const SLICED_FROM = 131_072;

/** `JSON.parse` cannot be interrupted; it takes some milliseconds for this many values. */
const MAX_VALUES_AT_ONCE = 20_000;

/** Bytes of one write to the parser that can be interrupted. */
const STREAMED_BYTES = 8_192;

/**
 * Memory in bytes of a value: a slot, and its part of an object or a text; of a member's name, which may
 * give its object a hidden class; of an escape, around which the streaming parser builds a string from parts.
 */
const PART_BYTES = 64;

/** Where the memory of a parsed body is counted. */
interface Memory {
  take(bytes: number): void;
}

const utf8 = new TextDecoder('utf-8');

/**
 * Parses a request body strictly: valid UTF-8, JSON, at most 64 levels deep, 500,000 values,
 * 20,000 members of one object and 1,000 digits of a number, no U+0000, no lone surrogates, no `__proto__` members, no duplicate
 * members. The limits are checked on the bytes first, and a body of more than 128 KiB is parsed in
 * slices of some milliseconds, between which other requests are served.
 * @param memory is told the memory of a body of many values before it is parsed, and may throw
 * @throws ProbityError `invalid_request`; `details` names the field when a value is at fault.
 */
export async function parseStrictJson(bytes: Uint8Array, memory?: Memory): Promise<unknown> {
  const steps = parse(bytes, memory);
  return bytes.length > SLICED_FROM ? runInSlices(steps) : runAtOnce(steps);
}

/**
 * Whether an object of a JSON text has two members of one name, which parsers read differently.
 * @param text well-formed JSON
 */
export async function hasRepeatedMember(text: string): Promise<boolean> {
  const steps = findRepeatedMember(text);
  const repeated = text.length > SLICED_FROM ? await runInSlices(steps) : runAtOnce(steps);
  return repeated !== null;
}

function* parse(bytes: Uint8Array, memory: Memory | undefined): Steps<unknown> {
  if (!isUtf8(bytes)) throw new ProbityError('invalid_request', 'The body is not valid UTF-8.');
  const { values, members, escapes } = yield* measureJson(bytes);
  const isStreamed = values > MAX_VALUES_AT_ONCE;
  if (isStreamed) memory?.take((values + members + escapes) * PART_BYTES);
  const value = isStreamed ? yield* parseStreamed(bytes) : parseAtOnce(bytes);
  // The parsed value has fewer members than the text, so some names are duplicates.
  if (members > (yield* checkValue(value))) {
    const repeated = yield* findRepeatedMember(utf8.decode(bytes));
    throw refuseField(repeated ?? '', 'is given twice');
  }
  return value;
}

function parseAtOnce(bytes: Uint8Array): unknown {
  const text = utf8.decode(bytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(text.trim() === '' ? 'the body is empty' : positionOf(cause), cause);
  }
}

function* parseStreamed(bytes: Uint8Array): Steps<unknown> {
  const parser = new JSONParser({ paths: ['$'], keepStack: false });
  let value: unknown;
  parser.onValue = ({ value: root }) => {
    value = root;
  };
  try {
    for (let at = startOf(bytes); at < bytes.length; at += STREAMED_BYTES) {
      parser.write(bytes.subarray(at, at + STREAMED_BYTES));
      yield;
    }
  } catch (cause) {
    throw malformed('it has an unexpected character', cause);
  }
  if (!parser.isEnded) throw malformed('it ends too early');
  return value;
}

/** Skips a byte order mark, as the decoder does. */
function startOf(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function malformed(reason: string, cause?: unknown): ProbityError {
  return new ProbityError('invalid_request', `The body is not valid JSON: ${reason}.`, { cause });
}

/** Position of the syntax error, without the excerpt of the body in V8's message. */
function positionOf(cause: unknown): string {
  const message = String(cause);
  const match = /at position (\d+)/.exec(message);
  if (match) return `error at position ${match[1]}`;
  return message.includes('end of JSON') ? 'it ends too early' : 'it has an unexpected character';
}

/** An object or array whose values are being checked. */
interface Open {
  readonly value: object;
  /** Null for an array. */
  readonly names: readonly string[] | null;
  readonly length: number;
  /** Values begun. */
  begun: number;
}

/**
 * Checks a parsed value by the rules of {@link parseStrictJson}, except for repeated members.
 * @throws ProbityError `invalid_request` that names the field
 */
export function checkJsonValue(root: unknown): void {
  runAtOnce(checkValue(root));
}

/** Values between two steps. */
const CHECK_STEP = 5_000;

/** Checks a parsed value; returns the total number of members of all objects. */
function* checkValue(root: unknown): Steps<number> {
  // The open containers instead of recursion or a list of all values: a body decides how many there are.
  const path: Open[] = [];
  let values = 0;
  let members = 0;
  let checked = 0;
  for (let value = root; ; ) {
    checked += 1;
    if (checked % CHECK_STEP === 0) yield;
    if (typeof value === 'string') {
      checkString(value, path);
    } else if (typeof value === 'object' && value !== null) {
      if (path.length >= MAX_JSON_DEPTH) throw tooDeep();
      const open = toOpen(value);
      values += open.length;
      if (open.names) members += open.length;
      if (values > MAX_JSON_VALUES) throw tooManyValues();
      path.push(open);
    }
    let open = path.at(-1);
    while (open && open.begun === open.length) {
      path.pop();
      open = path.at(-1);
    }
    if (!open) return members;
    value = begin(open, path);
  }
}

function toOpen(value: object): Open {
  const names = Array.isArray(value) ? null : Object.keys(value);
  return { value, names, length: names ? names.length : (value as unknown[]).length, begun: 0 };
}

/** The next value of a container, whose name is checked. */
function begin(open: Open, path: readonly Open[]): unknown {
  const index = open.begun;
  open.begun += 1;
  if (!open.names) return (open.value as unknown[])[index];
  const name = open.names[index] as string;
  checkString(name, path);
  if (name === '__proto__') throw refuse(path, 'is not an allowed member name');
  return (open.value as Record<string, unknown>)[name];
}

function checkString(text: string, path: readonly Open[]): void {
  if (text.includes('\0')) throw refuse(path, 'must not contain U+0000');
  if (!text.isWellFormed()) throw refuse(path, 'must not contain lone surrogates');
}

function refuse(path: readonly Open[], message: string): ProbityError {
  return refuseField(fieldOf(path), message);
}

function refuseField(field: string, message: string): ProbityError {
  const { details, message: text } = validationError({ field, message });
  return new ProbityError('invalid_request', text, details ? { details } : {});
}

/** The name of the value that was begun last. */
function fieldOf(path: readonly Open[]): string {
  const keys = path.map(({ names, begun }) => names?.[begun - 1] ?? String(begun - 1));
  return keys.join('.').toWellFormed().replaceAll('\0', '\uFFFD');
}
