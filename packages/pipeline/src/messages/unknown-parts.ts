import { isPlainIdentifier, isPlainName } from './identifiers.ts';
import { namesOf } from './json-source.ts';
import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';

/** What is done with the texts of a part. */
interface PartVisitor {
  /** The name of a member stands before its value. */
  replace(text: string, path: TextPath, isName: boolean): unknown;
  /** Called for what is nested too deep; it stays as it is. */
  refuse(path: TextPath, expected: string, value: unknown): void;
}

/** Members that hold a word of the interface, bytes, or settings: a longer text in them is read. */
const WORDS: ReadonlySet<string> = new Set([
  ...['type', 'role', 'status', 'phase', 'media_type', 'mediaType', 'mimeType'],
]);
const BYTES: ReadonlySet<string> = new Set(['signature', 'encrypted_content', 'encrypted_index']);
const SETTINGS: ReadonlySet<string> = new Set([
  ...['cache_control', 'providerOptions', 'provider_options'],
]);
/** Read by what knows the text beside them. */
const ODDS = 'logprobs';
const ID = /(?:^id|_id|Id)$/;
/** Bytes in base 64. */
const BASE_64_BYTES = /^[\w+/-]*={0,2}$/;
/** Shorter ones may be a key. */
const LEAST_BYTES = 100;

/** Names of members without one of these are words of the interface. */
const NAME_OF_TEXT = /[\d@\s]|^.{33}/s;
/** Smaller numbers are counts and places. */
const LONG_NUMBER = 1e8;

const MAX_DEPTH = 100;

/**
 * Replaces the texts of a part whose type is not known: everything but identifiers, words of the interface and bytes,
 * since interfaces add parts with every release, and a model reads them. Names of members and long numbers
 * count; a number that is replaced becomes a string.
 *
 * @returns the value itself where nothing was replaced
 */
export function mapUnknown(
  value: unknown,
  path: TextPath,
  visitor: PartVisitor,
  depth = 0,
): unknown {
  if (typeof value === 'string')
    return isBytes(value) ? value : visitor.replace(value, path, false);
  if (typeof value === 'number') return mapNumber(value, path, visitor);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (depth === MAX_DEPTH) {
    visitor.refuse(path, `at most ${MAX_DEPTH} levels`, value);
    return value;
  }
  if (Array.isArray(value)) {
    const list = value.map((each: unknown, index) =>
      mapUnknown(each, below(path, index), visitor, depth + 1),
    );
    return list.some((each, index) => each !== value[index]) ? list : value;
  }
  let isChanged = false;
  const names = namesOf(Object.keys(value));
  const entries = Object.entries(value).map(([key, each]) => {
    const at = below(path, key);
    const name = NAME_OF_TEXT.test(key)
      ? names.nameFor(key, String(visitor.replace(key, at, true)))
      : key;
    const mapped = mapMember(key, each, at, visitor, depth + 1);
    isChanged ||= name !== key || mapped !== each;
    return [name, mapped] as const;
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

/** The same for the value of a member. */
export function mapMember(
  name: string,
  value: unknown,
  path: TextPath,
  visitor: PartVisitor,
  depth = 0,
): unknown {
  if (name === ODDS) return value;
  if (SETTINGS.has(name)) return mapSettings(value, path, visitor, depth);
  if (typeof value === 'string') {
    if (WORDS.has(name) && isPlainName(value)) return value;
    if (ID.test(name) && isPlainIdentifier(value)) return value;
    if (BYTES.has(name) && isSignature(value)) return value;
  }
  return mapUnknown(value, path, visitor, depth);
}

/** Settings of an interface are words and numbers, and signatures. */
function mapSettings(value: unknown, path: TextPath, visitor: PartVisitor, depth: number): unknown {
  const { replace, refuse } = visitor;
  return mapUnknown(
    value,
    path,
    {
      replace: (text, at, isName) =>
        isPlainIdentifier(text) || isSignature(text) ? text : replace(text, at, isName),
      refuse,
    },
    depth,
  );
}

/** Whether a text is bytes in base 64, as signatures are, rather than a key that looks like them. */
export function isSignature(text: string): boolean {
  if (text.length < LEAST_BYTES) return text === '' || isPlainIdentifier(text.replace(/=+$/, ''));
  return BASE_64_BYTES.test(text);
}

function mapNumber(value: number, path: TextPath, { replace }: PartVisitor): unknown {
  if (Math.abs(value) < LONG_NUMBER || !Number.isFinite(value)) return value;
  const digits = String(value);
  const replaced = replace(digits, path, false);
  return replaced === digits ? value : replaced;
}

const DATA_URL = /^data:([\w/+.-]*)(?:;[\w/+.=-]*)*;base64,([\w+/-]*={0,2})$/;
/** Types of media that are text. */
export const READABLE = /^(?:text\/|application\/(?:json|xml|javascript))/;
/** Letters of base 64, so many that no words are among them. */
export const BASE_64 = /^[\w+/-]{200,}={0,2}$/;
const HEXADECIMAL = /^(?:[\da-f]+|[\dA-F]+)$/;
/** Letters of base 64 that are looked at together; a multiple of four. */
const WINDOW = 400;

/** Whether a text is bytes in base 64, of which no part is text: a picture, a sound. */
function isBytes(text: string): boolean {
  const [, type = '', data = ''] = DATA_URL.exec(text) ?? [];
  if (data !== '') return !READABLE.test(type) && !HEXADECIMAL.test(data) && !hidesText(data);
  // Digits of hexadecimal alone are no bytes in base 64, and may be text.
  return BASE_64.test(text) && !HEXADECIMAL.test(text) && !hidesText(text);
}

/**
 * Words that are run together have hardly any digits, and letters of one case; text in base 64 has printable bytes.
 * Bytes have neither for long.
 */
function hidesText(data: string): boolean {
  for (let start = 0; start < data.length; start += WINDOW) {
    const piece = data.slice(start, start + WINDOW);
    if (piece.length >= 100 && (isWordy(piece) || isPrintable(piece))) return true;
  }
  return false;
}

/** Of the letters of random bytes 16 % are digits, 41 % capitals and 41 % small. */
function isWordy(piece: string): boolean {
  const share = (letters: RegExp) => (piece.match(letters)?.length ?? 0) / piece.length;
  if (share(/\d/g) > 0.08) return false;
  // Zeros and other runs of one byte have one case as well, and few letters.
  const isOneCase = share(/[A-Z]/g) < 0.2 || share(/[a-z]/g) < 0.2;
  return isOneCase && new Set(piece).size > 8;
}

function isPrintable(piece: string): boolean {
  const bytes = Buffer.from(piece, 'base64');
  let printable = 0;
  for (const byte of bytes) if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a) printable += 1;
  return printable > bytes.length * 0.9;
}
