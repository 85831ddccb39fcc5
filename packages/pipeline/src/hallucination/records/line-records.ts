import { nameWithin } from './field-names.ts';
import type { RecordSink } from './record-sink.ts';
import { STEP } from './record-sink.ts';

/** The line below the head of a Markdown table. */
const RULE = /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?\s*)?$/;
/** A name and its value on one line. */
const NAMED = /^\s*(?:[-*]\s+)?([\p{L}_][\p{L}\p{N}_ ./()%-]{0,48}?)\s*:(?:\s+(.*)|\s*)$/u;

/** Reads a table with a line of column names: Markdown, or values between one delimiter. */
export function* readTable(text: string, delimiter: string, sink: RecordSink): Generator<void> {
  let columns: readonly string[] | undefined;
  let isEmptyHead = false;
  let count = 0;
  for (const line of linesOf(text)) {
    if (line.trim() === '') {
      columns = delimiter === '|' ? undefined : columns;
      continue;
    }
    if (delimiter === '|' && (!line.includes('|') || RULE.test(line))) continue;
    const cells = cellsOf(line, delimiter);
    // The head may be over the rows below it: "| March 31, | | |".
    if (columns === undefined || isEmptyHead) {
      isEmptyHead = columns === undefined && cells.filter((cell) => cell === '').length > 1;
      columns = cells;
      for (const name of cells) sink.name(name);
      continue;
    }
    sink.begin();
    for (const [index, cell] of cells.entries()) {
      if (cell !== '') sink.value(columns[index] ?? '', cell);
      if (++count % STEP === 0) yield;
    }
    sink.end();
  }
}

/**
 * Reads lines of a name and a value, as of results of tools in messages: a blank line, or a name that comes again, begins a
 * record. Two names before a value are those of a list and of the first member of its first element.
 */
export function* readNamedLines(text: string, sink: RecordSink): Generator<void> {
  const reader = new NamedLineReader(sink);
  let count = 0;
  for (const line of linesOf(text)) {
    reader.take(line.trim());
    if (++count % STEP === 0) yield;
  }
  reader.finish();
}

class NamedLineReader {
  readonly #sink: RecordSink;
  /** Names in the record at hand. */
  #seen = new Set<string>();
  /** The name that the first record begins with, and the one that elements of the list at hand do. */
  #first: string | undefined;
  #head: string | undefined;
  #isElement = false;
  #isApart = false;

  constructor(sink: RecordSink) {
    this.#sink = sink;
    sink.begin();
  }

  take(line: string): void {
    if (line === '') {
      this.#isApart = true;
      return;
    }
    const names: string[] = [];
    let value = line;
    for (let named = NAMED.exec(value); named !== null; named = NAMED.exec(value)) {
      names.push(named[1] as string);
      value = named[2] ?? '';
      if (names.length === MAX_NAMES) break;
    }
    const name = names.reduce(nameWithin, '');
    if (this.#first === undefined) this.#first = names.at(-1) ?? '';
    else if (this.#isApart || (name !== '' && this.#seen.has(name))) this.#turn(names);
    this.#isApart = false;
    this.#seen.add(name);
    if (value === '') this.#sink.name(name);
    else this.#sink.value(name, value);
  }

  finish(): void {
    if (this.#isElement) this.#sink.end();
    this.#sink.end();
  }

  /** Goes to the record that a line with these names begins. */
  #turn(names: readonly string[]): void {
    const name = names.at(-1) ?? '';
    this.#seen = new Set();
    if (this.#isElement) this.#sink.end();
    if (names.length > 1 || (!this.#isElement && name !== this.#first)) this.#head = name;
    else if (!this.#isElement) this.#sink.end();
    else if (name !== '' && name !== this.#head) {
      this.#isElement = false;
      return;
    }
    this.#isElement ||= this.#head !== undefined;
    this.#sink.begin();
  }
}

/** Names before one value, as of an object within an object. */
const MAX_NAMES = 4;

/** Whether a line is one of a name and a value. */
export function isNamedLine(line: string): boolean {
  return NAMED.test(line);
}

/** Whether a line is the one below the head of a Markdown table. */
export function isRule(line: string): boolean {
  return line.includes('|') && RULE.test(line);
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const close = text.indexOf('\n', from);
    const to = close < 0 ? text.length : close;
    yield text.slice(from, text.charCodeAt(to - 1) === 0x0d ? to - 1 : to);
    from = to + 1;
  }
}

/** The values of a line; quotes around one may hold the delimiter. */
export function cellsOf(line: string, delimiter: string): string[] {
  if (delimiter === '|') {
    const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
    return inner.split('|').map((cell) => cell.trim());
  }
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at);
    if (sign === '"') {
      if (isQuoted && line.charAt(at + 1) === '"') cell += line.charAt(at++);
      else isQuoted = !isQuoted;
    } else if (sign === delimiter && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell.trim()];
}
