import { isPlainIdentifier, isPlainName } from './identifiers.ts';
import type { JsonKind } from './json-source.ts';
import { digitsOf, namesOf } from './json-source.ts';
import { renamedCopy } from './json-texts.ts';
import type { Members } from './message-place.ts';
import { keepNumbers, numberText } from './number-texts.ts';
import type { Steps } from './steps.ts';
import { isStepDue } from './steps.ts';
import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';

/** What is done with the texts of a part. */
interface PartVisitor {
  /** Called for the name of a member before the texts of its value, which it may label. */
  replace(text: string, path: TextPath, kind: JsonKind): Steps<unknown>;
  /** Called for what is nested too deep; it stays as it is. */
  refuse(path: TextPath, expected: string, value: unknown): void;
  /** Called for bytes, in which no text can be read; they stay as they are. */
  pass?(): void;
}

/** Members that hold a word of the interface, bytes, or settings: a longer text in them is read. */
const WORDS: ReadonlySet<string> = new Set([
  ...['type', 'role', 'status', 'phase', 'media_type', 'mediaType', 'mimeType'],
]);
const BYTES: ReadonlySet<string> = new Set(['signature', 'encrypted_content', 'encrypted_index']);
const SETTINGS: ReadonlySet<string> = new Set([
  ...['cache_control', 'providerOptions', 'provider_options'],
]);
const ID = /(?:^id|_id|Id)$/;
/** Bytes in base 64. */
const BASE_64_BYTES = /^[\w+/-]*={0,2}$/;
/** Shorter ones may be a key. */
const LEAST_BYTES = 100;

/** Names of members without one of these are words of the interface. */
const NAME_OF_TEXT = /[\d@\s]|^.{33}/s;
/** Whether the name of a member may be a text, or have a value of something. */
export function isNameOfText(name: string): boolean {
  return NAME_OF_TEXT.test(name);
}

/** Smaller numbers are counts and places. */
const LONG_NUMBER = 1e8;

const MAX_DEPTH = 100;

/**
 * Replaces the texts of a part whose type is not known: everything but identifiers, words of the interface and bytes,
 * since interfaces add parts with every release, and a model reads them. Long numbers count, and names of members that
 * hold a text or label one; a number that is replaced becomes a string.
 *
 * @returns steps that end with the value itself where nothing was replaced
 */
export function mapUnknown(value: unknown, path: TextPath, visitor: PartVisitor): Steps<unknown> {
  return walk(value, path, withLabels(visitor), 0);
}

/** A visitor that is given the names of the members around a text before the text. */
interface LabelVisitor extends PartVisitor {
  /** Visits a value with the name of its member; ends with both, as they were replaced. */
  labeled(
    name: string,
    path: TextPath,
    value: () => Steps<unknown>,
  ): Steps<readonly [string, unknown]>;
}

/** The name of a member whose value is being visited. */
interface Label {
  readonly name: string;
  readonly path: TextPath;
  /** Undefined until it is visited. */
  shown?: string;
}

function withLabels({ replace, ...others }: PartVisitor): LabelVisitor {
  const open: Label[] = [];
  const show = function* (label: Label): Steps<string> {
    label.shown ??= String(yield* replace(label.name, label.path, 'name'));
    return label.shown;
  };
  return {
    ...others,
    *replace(text, path, kind) {
      for (const label of open) if (label.shown === undefined) yield* show(label);
      return yield* replace(text, path, kind);
    },
    *labeled(name, path, value) {
      const label: Label = { name, path };
      open.push(label);
      if (isNameOfText(name)) for (const each of open) yield* show(each);
      const mapped = yield* value();
      open.pop();
      return [label.shown ?? name, mapped];
    },
  };
}

function* walk(
  value: unknown,
  path: TextPath,
  visitor: LabelVisitor,
  depth: number,
): Steps<unknown> {
  if (typeof value === 'string' && isTextUrl(value)) return yield* mapTextUrl(value, path, visitor);
  const isBinary = typeof value === 'string' ? isBytes(value) : ArrayBuffer.isView(value);
  if (isBinary) {
    visitor.pass?.();
    return value;
  }
  if (typeof value === 'string') return yield* visitor.replace(value, path, 'string');
  if (typeof value === 'number') return yield* mapNumber(value, String(value), path, visitor);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) {
    visitor.refuse(path, `at most ${MAX_DEPTH} levels`, value);
    return value;
  }
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      if (isStepDue()) yield;
      const at = below(path, index);
      const each: unknown = value[index];
      list.push(
        typeof each === 'number'
          ? yield* mapNumber(each, numberText(value, index, each), at, visitor)
          : yield* walk(each, at, visitor, depth + 1),
      );
    }
    return list.some((each, index) => each !== value[index]) ? keepNumbers(list, value) : value;
  }
  let isChanged = false;
  const names = namesOf(Object.keys(value));
  const isText = MEDIA_TYPES.some((name) => READABLE.test(String((value as Members)[name])));
  const entries: [string, unknown][] = [];
  for (const [key, each] of Object.entries(value)) {
    if (isStepDue()) yield;
    const at = below(path, key);
    const [shown, mapped] = yield* visitor.labeled(key, at, () =>
      isText && key === 'data' && typeof each === 'string'
        ? mapBase64(each, at, visitor)
        : walkMember(value, key, at, visitor, depth + 1),
    );
    const name = names.nameFor(key, shown);
    isChanged ||= name !== key || mapped !== each;
    entries.push([name, mapped]);
  }
  return isChanged ? renamedCopy(entries, value) : value;
}

/** The same for a member; ends with its name and its value. */
export function mapMember(
  members: object,
  name: string,
  path: TextPath,
  visitor: PartVisitor,
): Steps<readonly [string, unknown]> {
  const labels = withLabels(visitor);
  return labels.labeled(name, path, () => walkMember(members, name, path, labels, 0));
}

function* walkMember(
  members: object,
  name: string,
  path: TextPath,
  visitor: LabelVisitor,
  depth: number,
): Steps<unknown> {
  const value = (members as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'number') {
    return yield* mapNumber(value, numberText(members, name, value), path, visitor);
  }
  if (SETTINGS.has(name)) return yield* mapSettings(value, path, visitor, depth);
  if (typeof value === 'string') {
    if (WORDS.has(name) && isPlainName(value)) return value;
    if (ID.test(name) && isPlainIdentifier(value)) return value;
    if (BYTES.has(name) && isSignature(value)) return value;
  }
  return yield* walk(value, path, visitor, depth);
}

/** Settings of an interface are words and numbers, and signatures. */
function mapSettings(
  value: unknown,
  path: TextPath,
  visitor: LabelVisitor,
  depth: number,
): Steps<unknown> {
  const { replace } = visitor;
  return walk(
    value,
    path,
    {
      ...visitor,
      replace: (text, at, kind) =>
        isPlainIdentifier(text) || isSignature(text) ? kept(text) : replace(text, at, kind),
    },
    depth,
  );
}

/** Steps that end with the text, or with the result of the further steps. */
export function* kept(text: string, further?: Steps<unknown>): Steps<unknown> {
  return further === undefined ? text : yield* further;
}

/** Whether a text is bytes in base 64, as signatures are, rather than a key or a text that looks like them. */
export function isSignature(text: string): boolean {
  if (text.length < LEAST_BYTES) return text === '' || isPlainIdentifier(text.replace(/=+$/, ''));
  return BASE_64_BYTES.test(text) && !hidesText(text);
}

function* mapNumber(
  value: number,
  text: string,
  path: TextPath,
  { replace }: PartVisitor,
): Steps<unknown> {
  if (Math.abs(value) < LONG_NUMBER || !Number.isFinite(value)) return value;
  const digits = digitsOf(text);
  const replaced = yield* replace(digits, path, 'number');
  return replaced === digits ? value : replaced;
}

/** Members that name the media type of the member `data`. */
const MEDIA_TYPES = ['media_type', 'mediaType', 'mimeType', 'mime_type'];
const TEXT_URL = /^(data:(?:text\/|application\/(?:json|xml|javascript))[^,]*,)(.*)$/is;

function isTextUrl(text: string): boolean {
  return TEXT_URL.test(text);
}

/** The text of a data URL, which a provider decodes before a model reads it. */
function* mapTextUrl(url: string, path: TextPath, visitor: PartVisitor): Steps<unknown> {
  const [, head = '', data = ''] = TEXT_URL.exec(url) ?? [];
  if (/;base64,$/i.test(head)) {
    const mapped = yield* mapBase64(data, path, visitor);
    return mapped === data ? url : `${head}${mapped}`;
  }
  const text = decoded(data);
  const replaced = yield* visitor.replace(text, path, 'string');
  return replaced === text ? url : `${head}${encodeURIComponent(String(replaced))}`;
}

/** Reads base 64 decoded; a short one as it is as well, since a number may have the same letters. */
function* mapBase64(data: string, path: TextPath, { replace }: PartVisitor): Steps<unknown> {
  const isEncoded = BASE_64_TEXT.test(data);
  const isShort = data.length < LEAST_BYTES;
  const shown = !isEncoded || isShort ? yield* replace(data, path, 'string') : data;
  if (!isEncoded) return shown;
  const text = Buffer.from(data, 'base64').toString('utf8');
  const replaced = yield* replace(text, path, 'string');
  if (shown !== data || replaced === text) return shown;
  return Buffer.from(String(replaced)).toString('base64');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const BASE_64_TEXT = /^[\w+/\r\n-]+={0,2}[\r\n]*$/;

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
