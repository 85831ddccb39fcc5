import { isUtf8 } from 'node:buffer';
import { decodeEntity, toCharacter } from './entities.ts';
import type { TextView } from './text-view.ts';
import { createViewBuilder, opaqueView } from './text-view.ts';
import {
  BITS,
  bytesOfBits,
  bytesOfSelectors,
  lettersOfTags,
  MAY_BE_UNSEEN,
  SELECTORS,
  TAG_RUN,
} from './unseen.ts';

/** How a derived text was hidden in its source. */
export type Encoding = 'percent' | 'entities' | 'escapes' | 'base64' | 'hex' | UnseenEncoding;

/** Those of characters that show nothing. */
export type UnseenEncoding = 'tags' | 'selectors' | 'bits';

/** A text found by decoding part of another one. */
export interface DecodedView {
  readonly encoding: Encoding;
  readonly view: TextView;
}

/** Characters that decoding may still produce for one block; shared by all nested decodings. */
export interface DecodeBudget {
  remaining: number;
}

const PERCENT = /(?:%[0-9a-f]{2}){1,64}/gi;
const ENTITY = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gi;
const ESCAPE = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\})/gi;
// As mails have it, a long run may go on in the next line.
const BASE64 =
  /(?<![A-Za-z0-9+/_-])(?=[A-Za-z0-9+/_-]{20})(?:[A-Za-z0-9+/_-]{56,}(?:\r?\n[ \t>]{0,8}[A-Za-z0-9+/_-]{2,}){1,8192}|[A-Za-z0-9+/_-]{20,})={0,2}/g;
const LINE_BREAK = /[\s>]+/;
const HEX = /(?=[0-9a-f]{2}|0x)(?<![0-9a-z])(?:0x)?[0-9a-f]{2}(?:[\s:]?[0-9a-f]{2}){11,8192}/gi;
const MIN_HEX_DIGITS = 24;
const NOT_TEXT = /(?!\s)\p{Cc}|\ufffd/u;
// Only for bytes that have been checked; it leaves out a byte order mark.
const utf8 = new TextDecoder();

/**
 * Everything that one step of decoding finds in `view`. Percent, entity and escape decoding replace
 * in place and keep exact offsets; a base64 or hex run becomes a separate text that maps to
 * the whole run. Output is limited by `budget`, so nested encodings stay linear.
 */
export function decodeView(view: TextView, budget: DecodeBudget): DecodedView[] {
  const found: DecodedView[] = [];
  const text = view.text;
  if (text.includes('%')) addInPlace(found, 'percent', view, PERCENT, decodePercent, budget);
  if (text.includes('&')) addInPlace(found, 'entities', view, ENTITY, decodeEntity, budget);
  if (text.includes('\\')) addInPlace(found, 'escapes', view, ESCAPE, decodeEscape, budget);
  if (hasRun(text, 20, isBase64Code)) {
    addRuns(found, 'base64', view, BASE64, decodeBase64, budget);
  }
  if (hasRun(text, MIN_HEX_DIGITS, isHexCode)) addRuns(found, 'hex', view, HEX, decodeHex, budget);
  return found;
}

/** The same for texts in characters that show nothing, which normalizing removes. */
export function decodeUnseen(source: TextView, budget: DecodeBudget): DecodedView[] {
  const found: DecodedView[] = [];
  if (!MAY_BE_UNSEEN.test(source.text)) return found;
  addRuns(found, 'tags', source, TAG_RUN, lettersOfTags, budget);
  addRuns(found, 'selectors', source, SELECTORS, decodeSelectors, budget);
  addRuns(found, 'bits', source, BITS, decodeBits, budget);
  return found;
}

/**
 * Whether `length` members stand in a row somewhere. Such a row covers one of every `length` places,
 * so only these are looked at and followed to both sides.
 */
function hasRun(text: string, length: number, isMember: (code: number) => boolean): boolean {
  for (let at = length - 1; at < text.length; at += length) {
    if (!isMember(text.charCodeAt(at))) continue;
    let start = at;
    let end = at + 1;
    while (start > 0 && at - start < length && isMember(text.charCodeAt(start - 1))) start--;
    while (end < text.length && end - start < length && isMember(text.charCodeAt(end))) end++;
    if (end - start >= length) return true;
  }
  return false;
}

function isBase64Code(code: number): boolean {
  const letter = code | 0x20;
  if ((letter >= 0x61 && letter <= 0x7a) || (code >= 0x2f && code <= 0x39)) return true;
  return code === 0x2b || code === 0x2d || code === 0x5f;
}

// Blanks and colons may part the pairs.
function isHexCode(code: number): boolean {
  const letter = code | 0x20;
  if ((letter >= 0x61 && letter <= 0x66) || (code >= 0x30 && code <= 0x3a)) return true;
  return code === 0x20 || (code >= 9 && code <= 13) || code > 127;
}

type Decoder = (match: string, text: string, index: number) => string | undefined;
/** Several texts where a run can be read in several ways. */
type RunDecoder = (
  match: string,
  text: string,
  index: number,
) => string | readonly string[] | undefined;

function addInPlace(
  found: DecodedView[],
  encoding: Encoding,
  view: TextView,
  pattern: RegExp,
  decode: Decoder,
  budget: DecodeBudget,
): void {
  if (budget.remaining < view.text.length) return;
  const builder = createViewBuilder(view);
  let changed = false;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(view.text); match !== null; match = pattern.exec(view.text)) {
    const plain = decode(match[0], view.text, match.index);
    if (plain === undefined) continue;
    builder.replace(match.index, match.index + match[0].length, plain);
    changed = true;
  }
  if (!changed) return;
  budget.remaining -= view.text.length;
  found.push({ encoding, view: builder.finish() });
}

function addRuns(
  found: DecodedView[],
  encoding: Encoding,
  view: TextView,
  pattern: RegExp,
  decode: RunDecoder,
  budget: DecodeBudget,
): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(view.text); match !== null; match = pattern.exec(view.text)) {
    if (budget.remaining < match[0].length) return;
    const plain = decode(match[0], view.text, match.index);
    if (plain === undefined) continue;
    const range = view.range(match.index, match.index + match[0].length);
    for (const each of typeof plain === 'string' ? [plain] : plain) {
      budget.remaining -= each.length;
      found.push({ encoding, view: opaqueView(each, range) });
    }
  }
}

function decodePercent(match: string): string | undefined {
  return toText(Buffer.from(match.replaceAll('%', ''), 'hex'), true);
}

function decodeEscape(match: string): string | undefined {
  return toCharacter(Number.parseInt(match.replace(/[^0-9a-f]/gi, ''), 16));
}

// A word may stand in the line behind the last one, so that the lines before are tried as well.
function decodeBase64(match: string, text: string, index: number): string | undefined {
  if (!/[A-Z]/.test(match) || !/[a-z]/.test(match)) return undefined;
  const lines = match.split(LINE_BREAK);
  const isCut = isCutRun(text, index);
  const whole = decodeBase64Run(lines.join(''), isCut);
  if (whole !== undefined || lines.length === 1) return whole;
  return (
    decodeBase64Run(lines.slice(0, -1).join(''), isCut) ?? decodeBase64Run(lines[0] ?? '', isCut)
  );
}

/** Whether a run may begin before a block. */
function isCutRun(text: string, index: number): boolean {
  return index === 0 && text.length > 4096;
}

// A run cut off by a block's edge has lost its phase, so all four are tried; else only the first counts.
function decodeBase64Run(run: string, isCut: boolean): string | undefined {
  for (let phase = 0; phase < (isCut ? 4 : 1); phase++) {
    const body = run.slice(phase).replace(/=+$/, '');
    const whole = body.slice(0, body.length - (body.length % 4 === 1 ? 1 : 0));
    const plain = toText(Buffer.from(whole, 'base64'), false);
    if (plain !== undefined) return plain;
  }
  return undefined;
}

// Digits that only stand behind a run spoil the whole, so its unbroken pieces are tried as well.
function decodeHex(match: string): string | undefined {
  const whole = decodeHexDigits(match);
  if (whole !== undefined) return whole;
  const pieces = match.split(/[\s:]/).filter(({ length }) => length >= MIN_HEX_DIGITS);
  return pieces.map(decodeHexDigits).find((plain) => plain !== undefined);
}

function decodeHexDigits(text: string): string | undefined {
  return toText(Buffer.from(text.replace(/^0x/i, '').replace(/[^0-9a-f]/gi, ''), 'hex'), false);
}

function decodeSelectors(match: string, text: string, index: number): string[] {
  return textsOf(bytesOfSelectors(match), isCutRun(text, index));
}

function decodeBits(match: string, text: string, index: number): string[] {
  const isCut = isCutRun(text, index);
  return textsOf(bytesOfBits(match, isCut), isCut);
}

function textsOf(readings: readonly Uint8Array[], isCut: boolean): string[] {
  return readings.flatMap((bytes) => {
    let from = 0;
    while (isCut && from < MOST_CUT && (bytes[from] as number) >> 6 === 0b10) from++;
    return toText(bytes.subarray(from), false) ?? [];
  });
}

const READABLE = /[\p{L}\p{N} ]/gu;

/** UTF-8 bytes as text, or undefined where they are no readable text. */
function toText(bytes: Uint8Array, anyPrintable: boolean): string | undefined {
  const whole = wholeUtf8(bytes);
  if (whole === undefined) return undefined;
  const text = utf8.decode(whole);
  if (text === '' || NOT_TEXT.test(text)) return undefined;
  if (anyPrintable) return text;
  const readable = text.match(READABLE)?.length ?? 0;
  return readable >= text.length * 0.7 ? text : undefined;
}

/** The end of a run may cut a character in two: up to three bytes are given up for that. */
const MOST_CUT = 3;

/** The bytes without a cut character at their end; undefined where they are no UTF-8. */
function wholeUtf8(bytes: Uint8Array): Uint8Array | undefined {
  if (!mayBeUtf8Text(bytes)) return undefined;
  for (let cut = 0; cut <= MOST_CUT; cut++) {
    const part = cut === 0 ? bytes : bytes.subarray(0, Math.max(0, bytes.length - cut));
    if (isUtf8(part)) return part;
  }
  return undefined;
}

/** So many bytes are looked at before a call of the native check, which costs more than they do. */
const LOOKED_AT = 16;

/**
 * Whether the first bytes may begin a text: most words that look like an encoding do not get beyond them. The
 * bytes that may be cut off are not looked at.
 */
function mayBeUtf8Text(bytes: Uint8Array): boolean {
  const end = Math.min(LOOKED_AT, bytes.length - MOST_CUT);
  let following = 0;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] as number;
    if (following > 0) {
      if (byte >> 6 !== 0b10) return false;
      following--;
    } else if (byte < 0x80) {
      if (isControl(byte)) return false;
    } else if (byte < 0xc2 || byte > 0xf4) return false;
    else following = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  }
  return true;
}

/** Whether an ASCII character is a control that is no blank, which `NOT_TEXT` refuses as well. */
function isControl(byte: number): boolean {
  return byte === 0x7f || (byte < 0x20 && (byte < 0x09 || byte > 0x0d));
}
