import { readJsonRecords } from './json-records.ts';
import { cellsOf, isNamedLine, isRule, readNamedLines, readTable } from './line-records.ts';
import { readMarkupRecords } from './markup-records.ts';
import type { ReadRecords, RecordSink } from './record-sink.ts';

/** So much of a text tells its format. */
const LOOKED_AT = 4096;
/** The first row of a table begins within so many characters. */
const TABLE_WITHIN = 400;
const JSON_START = /^(?:\{\s*(?:"|\})|\[\s*(?:[[{"\]]|-?\d|true\b|false\b|null\b))/;
/** What stands between the strings of JSON. */
const JSON_REST = /^[\s\w.,:{}[\]+-]*$/;
const STRINGS = /"(?:[^"\\]|\\.)*(?:"|$)/gs;
const FENCE = '```';
const MARKUP_START = /^<(?:\?xml|!doctype html|[a-zA-Z][\w:.-]*(?:\s[^<>]*)?>)/i;
/** Of the lines of a list of names and values so many have a name. */
const NAMED_SHARE = 0.8;
/** Longer values are sentences. */
const LONGEST_VALUE = 120;
const SHORT_VALUE = 40;
const NUMBER = /^[-+]?[\d.,:/-]+$/;
const NUMBER_SHARE = 0.25;
const SENTENCE_END = /[a-z]{2}[.!?]["')]?$/;
/** The name of a column. */
const COLUMN =
  /^(?:[\p{L}_#(][\p{L}\p{N}_./()%#'$€£-]*(?: [\p{L}\p{N}_./()%#'$€£&-]+){0,5}|(?:19|20)\d\d)$/u;
/** Rows and columns of a table whose first line names no columns, and the share of its figures. */
const GRID_ROWS = 3;
const GRID_COLUMNS = 3;
const FIGURE_SHARE = 0.4;
const FIGURE = /^[-+($€£¥ ]{0,4}\d[\d.,]*\s?[)%]{0,2}$/;
const BLANK_LINE = /\n[ \t]*\r?\n/;
const DELIMITERS = [',', ';', '\t'];

/** How a source is read, where it is data or has data among its paragraphs; undefined for prose. Looks at its beginning alone. */
export function recordReaderOf(source: string): ReadRecords | undefined {
  const text = withoutFence(source);
  const reader = readerOf(text.slice(0, LOOKED_AT), text.length > LOOKED_AT);
  if (reader !== undefined) return (all, sink) => reader(withoutFence(all), sink);
  const paragraphs = source.slice(0, LOOKED_AT).split(BLANK_LINE);
  return paragraphs.length > 1 && paragraphs.some((part) => isTable(part)) ? readMixed : undefined;
}

/** Reads each paragraph as data or as prose. */
function* readMixed(source: string, sink: RecordSink): Generator<void> {
  for (const part of source.split(BLANK_LINE)) {
    const reader = isTable(part) ? readerOf(part, false) : undefined;
    if (reader === undefined) sink.prose(part);
    else yield* reader(part, sink);
  }
}

/** Names and values on lines are data where there is nothing else; among prose they are a part of it. */
function isTable(part: string): boolean {
  const reader = readerOf(part.slice(0, LOOKED_AT), part.length > LOOKED_AT);
  return reader !== undefined && reader !== readNamedLines;
}

function readerOf(text: string, isCut: boolean): ReadRecords | undefined {
  const head = text.trimStart();
  const first = head.charCodeAt(0);
  if (first === 0x7b || first === 0x5b) return isJson(head) ? readJsonRecords : undefined;
  if (first === 0x3c) return MARKUP_START.test(head) ? readMarkupRecords : undefined;
  const title = lineAt(head, 0);
  const isNamed = isNamedLine(title);
  const delimiter = DELIMITERS.find((each) => areColumns(title, each));
  // Most prose is known by its first lines.
  const hasTable = head.slice(0, TABLE_WITHIN).includes('|');
  const grid = DELIMITERS.find((each) => cellsOf(title, each).length >= GRID_COLUMNS);
  if (!isNamed && delimiter === undefined && !hasTable && grid === undefined) return undefined;
  const lines = head.split('\n');
  // The last line may be cut.
  if (isCut) lines.pop();
  const filled = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
  if (filled.length < 2) return undefined;
  if (hasTable && isMarkdownTable(filled)) return readMarkdown;
  if (delimiter !== undefined && isDelimited(filled, delimiter)) {
    return (all, sink) => readTable(all, delimiter, sink);
  }
  if (grid !== undefined && isGrid(filled, grid)) return (all, sink) => readTable(all, grid, sink);
  return isNamed && areNamedLines(filled) ? readNamedLines : undefined;
}

const readMarkdown: ReadRecords = (text, sink) => readTable(text, '|', sink);

function lineAt(text: string, from: number): string {
  const close = text.indexOf('\n', from);
  return text.slice(from, close < 0 ? undefined : close).trimEnd();
}

function isJson(head: string): boolean {
  return JSON_START.test(head) && JSON_REST.test(head.replace(STRINGS, ''));
}

function isMarkdownTable(lines: readonly string[]): boolean {
  const rows = lines.filter((line) => line.includes('|')).length;
  return rows >= 3 && rows >= lines.length - 2 && lines.some(isRule);
}

/** Whether a line names columns. */
function areColumns(line: string, delimiter: string): boolean {
  if (!line.includes(delimiter) || SENTENCE_END.test(line)) return false;
  const [first = '', ...names] = cellsOf(line, delimiter);
  const isName = (name: string) => COLUMN.test(name);
  return names.length > 0 && (first === '' || isName(first)) && names.every(isName);
}

/** Whether each line has as many values as the first one, which names the columns. */
function isDelimited(lines: readonly string[], delimiter: string): boolean {
  const columns = cellsOf(lines[0] ?? '', delimiter).length;
  if (columns + lines.length < 5) return false;
  return lines.every((line) => {
    const cells = cellsOf(line, delimiter);
    return cells.length === columns && cells.every((cell) => cell.length <= LONGEST_VALUE);
  });
}

/** Whether lines are rows of figures under headings of several lines, as in financial reports. */
function isGrid(lines: readonly string[], delimiter: string): boolean {
  const rows = lines.map((line) => cellsOf(line, delimiter));
  const columns = rows[0]?.length ?? 0;
  if (rows.length < GRID_ROWS || rows.some(({ length }) => length !== columns)) return false;
  const cells = rows.flat().filter((cell) => cell !== '');
  return cells.filter((cell) => FIGURE.test(cell)).length >= FIGURE_SHARE * cells.length;
}

function areNamedLines(lines: readonly string[]): boolean {
  if (!lines.every((line) => line.length <= LONGEST_VALUE)) return false;
  const named = lines.filter(isNamedLine).length;
  if (named >= 2 && named >= NAMED_SHARE * lines.length) return true;
  // Rows of values without names.
  const isShort = lines.every((line) => line.length <= SHORT_VALUE && !SENTENCE_END.test(line));
  const numbers = lines.filter((line) => NUMBER.test(line)).length;
  return isShort && numbers >= NUMBER_SHARE * lines.length;
}

/** A block of code without the lines of its fence. */
function withoutFence(source: string): string {
  if (!source.startsWith(FENCE)) return source;
  const from = source.indexOf('\n') + 1;
  const close = source.lastIndexOf(FENCE);
  return source.slice(from, close > from ? close : undefined);
}
