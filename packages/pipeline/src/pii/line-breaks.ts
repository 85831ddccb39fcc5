import type { TextRange } from '../types.ts';

/** The end of a line and the beginning of the next one, as they would read without the line break. */
export interface JoinedLines {
  readonly text: string;
  /** The range of the text with the break; undefined for one that does not cross it, or is a cell of a table. */
  placeOf(range: TextRange): TextRange | undefined;
}

/** Units of a line that are read: the longest value with the words that name it. */
const REACH = 96;
/** Also of HTML, of pages, and as an escape; quoted-printable text has soft breaks, which end in the middle of words. */
const BREAK = /(?<soft>=)?\r?\n|\r|[\f\v\u0085\u2028\u2029]|<br ?\/?>(?:\r?\n)?|(?:\\r)?\\n/g;
const INDENT = /[ \t]*(?:>[ \t]*)*/y;
/** The groups of a card, one a line. */
const GROUPS_ON_LINES = /(?<!\d)\d{4}(?:\r?\n\d{4}){3}(?!\d)(?!\r?\n\d)/g;
const TWO_LINES = /[^\n]*\n?[^\n]*$/;
/** An IPv4 address that is cut before or after one of its dots. */
const IP_ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}[.,;:)]?$/;
const LETTER = /\p{L}/u;
const SEPARATOR = /[,;|\t]/;

const LAST_NUMBER = /[+(]?\d[\d ()./-]*$/;
const FIRST_NUMBER = /^\(?\d[\d ()./-]*/;
/** Groups of a card, of a telephone number with its label, of a social security number. */
const NUMBER =
  /(?<!\d)(?:\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}|\d{4}[ -]\d{6}[ -]\d{4,5}|\d{3}([ -])\d{2}\1\d{4}(?!\d)|\d{3}[-. ]\d{3}[-. ]\d{4}(?!\d))|^[+(]\d/;
const LONG_NUMBER = /(?<!\d)\d{13,19}(?!\d)/;
const IBAN_BEGUN = /(?<![A-Za-z\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]){0,30}$/;
const WHOLE_GROUP = /^[A-Z\d]{4}$/;
const IBAN_GOES_ON = /^[A-Z\d]{1,4}(?![a-z])/;
const ADDRESS = /^[^\s@]*@[^\s@]*$/;
const WHOLE_ADDRESS = /@[^\s@]+\.[^\s@.]{2,}\.$/;
/** The end of a sentence before a line that begins with an address. */
const SENTENCE_END = /^[^@]*\.$/;
const ADDRESS_BEGUN = /^[^@.][^@]*@/;

/** Places where a value may go on after a line break, with or without indents and the signs of quoted mails. */
export function* joinedLines(text: string): Generator<JoinedLines> {
  for (const { 0: lineBreak, index: end, groups } of text.matchAll(BREAK)) {
    const isSoft = groups?.soft !== undefined;
    INDENT.lastIndex = end + lineBreak.length;
    const start = isSoft
      ? INDENT.lastIndex
      : INDENT.lastIndex + (INDENT.exec(text)?.[0].length ?? 0);
    const last = lastSign(text, end);
    if (!isOfValue(text.charCodeAt(last)) || !isOfValue(text.charCodeAt(start))) continue;
    const lines = linesAt(text, isSoft ? end : last + 1, start);
    if (lines === undefined) continue;
    const joiner = isSoft ? '' : joinerOf(lines);
    if (joiner !== undefined) yield join(lines, joiner);
  }
  yield* groupsOnLines(text);
}

/** The four groups of a number that has each on a line, with the words before them. */
function* groupsOnLines(text: string): Generator<JoinedLines> {
  for (const { 0: groups, index } of text.matchAll(GROUPS_ON_LINES)) {
    const before = text.slice(Math.max(0, index - REACH), index);
    const [label = ''] = TWO_LINES.exec(before) ?? [];
    if (!LETTER.test(label)) continue;
    const number = groups.split(/\r?\n/).join(' ');
    const end = label.length + number.length;
    yield {
      text: label + number,
      placeOf: (range) =>
        range.start === label.length && range.end === end
          ? { start: index, end: index + groups.length }
          : undefined,
    };
  }
}

/** The two lines at a break, cut to the units that are read. */
interface Lines {
  readonly before: string;
  /** Where `before` ends in the text, and `after` begins. */
  readonly end: number;
  readonly after: string;
  readonly start: number;
  /** Whether both have numbers and no words: a value must be all of them. */
  readonly areBare: boolean;
}

/** Undefined within a table, or a list of numbers. */
function linesAt(text: string, end: number, start: number): Lines | undefined {
  const first = lineStart(text, end - 1);
  const last = lineEnd(text, start);
  const before = text.slice(Math.max(first, end - REACH), end);
  const after = text.slice(start, Math.min(last, start + REACH)).trimEnd();
  const areBare = !LETTER.test(before) && !LETTER.test(after);
  if (areBare && (isBare(lineBefore(text, first)) || isBare(lineAfter(text, last))))
    return undefined;
  if (SEPARATOR.test(before) && shapeOf(before) === shapeOf(after)) return undefined;
  return { before, end, after, start, areBare };
}

function join({ before, end, after, start, areBare }: Lines, joiner: string): JoinedLines {
  const text = before + joiner + after;
  const border = before.length + joiner.length;
  const indent = before.length - before.trimStart().length;
  return {
    text,
    placeOf(range) {
      if (range.start >= before.length || range.end <= border) return undefined;
      if (areBare && (range.start > indent || range.end < text.length)) return undefined;
      return { start: end - before.length + range.start, end: start - border + range.end };
    },
  };
}

/** The text that joins the lines: nothing or a blank; undefined where no value goes on. */
function joinerOf({ before, after }: Lines): '' | ' ' | undefined {
  const last = before.slice(before.search(/\S*$/));
  const first = /^\S*/.exec(after)?.[0] ?? '';
  if (ADDRESS.test(last + first)) {
    const isCut = /[@._-]$/.test(last) || /^[@._-]/.test(first);
    const isNext = SENTENCE_END.test(last) && ADDRESS_BEGUN.test(first);
    return isCut && !isNext && !WHOLE_ADDRESS.test(last) ? '' : undefined;
  }
  const isCutAtDot = last.endsWith('.') !== first.startsWith('.');
  if (isCutAtDot && IP_ADDRESS.test(last + first)) return '';
  if (IBAN_BEGUN.test(before) && IBAN_GOES_ON.test(after)) return WHOLE_GROUP.test(last) ? ' ' : '';
  const [digits] = LAST_NUMBER.exec(before) ?? [];
  const [more] = FIRST_NUMBER.exec(after) ?? [];
  if (digits === undefined || more === undefined) return undefined;
  if (!/[-./]$/.test(digits) && NUMBER.test(`${digits} ${more}`)) return ' ';
  return NUMBER.test(digits + more) || LONG_NUMBER.test(digits + more) ? '' : undefined;
}

/** Letters, digits and signs of values. */
function isOfValue(code: number): boolean {
  return isAlphanumeric(code) || (code >= 0x28 && code <= 0x2f) || code === 0x40 || code === 0x5f;
}

function isAlphanumeric(code: number): boolean {
  const small = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (small >= 0x61 && small <= 0x7a) || code > 0x7f;
}

function lastSign(text: string, end: number): number {
  let at = end - 1;
  while (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09) at--;
  return at;
}

function lineStart(text: string, place: number): number {
  const from = Math.max(0, place - 2 * REACH);
  return from + text.slice(from, place + 1).lastIndexOf('\n') + 1;
}

function lineEnd(text: string, place: number): number {
  const at = text.slice(place, place + 2 * REACH).indexOf('\n');
  return at < 0 ? Math.min(text.length, place + 2 * REACH) : place + at;
}

function lineBefore(text: string, start: number): string {
  return start === 0 ? '' : text.slice(lineStart(text, start - 2), start - 1);
}

function lineAfter(text: string, end: number): string {
  return end >= text.length ? '' : text.slice(end + 1, lineEnd(text, end + 1));
}

/** Whether a line has digits and no words. */
function isBare(line: string): boolean {
  return /\d/.test(line) && !LETTER.test(line);
}

function shapeOf(line: string): string {
  return line
    .replace(/\d+/g, '0')
    .replace(/\p{L}+/gu, 'a')
    .replace(/ +/g, ' ')
    .trim();
}
