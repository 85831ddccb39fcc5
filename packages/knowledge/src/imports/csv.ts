import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { validationError } from '@probity/core';
import type { CsvError, Info } from 'csv-parse';
import { parse } from 'csv-parse';
import { COLUMNS, REQUIRED_COLUMNS, readRow } from './row.ts';
import type { Separator } from './separator.ts';
import { findSeparator, isSeparatorLine, toColumnName } from './separator.ts';
import type { ReadRow } from './types.ts';

/** Largest row in bytes; what is longer has a quote that is not closed. */
const MAX_ROW_BYTES = 65_536;

/** Names of the separators in messages. */
const NAMES: Readonly<Record<Separator, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

interface CsvRecord {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: Info;
}

/**
 * Rows of a CSV file (RFC 4180, or as spreadsheets write it) with a header, as its text arrives. Empty cells are
 * members that are not given, and empty rows and columns are left out.
 * @throws ProbityError `validation_failed` naming the columns of a wrong header
 */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let unreadable: CsvError | undefined;
  const { separator, text: whole } = await findSeparator(text);
  const parser = parse({
    bom: true,
    delimiter: separator,
    info: true,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW_BYTES,
    on_skip(error) {
      unreadable ??= error;
    },
  });
  const source = Readable.from(inPieces(whole));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let header: readonly string[] | undefined;
  let line = 1;
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<CsvRecord>) {
      if (unreadable) break;
      line = info.lines - countLines(raw) + 1;
      if (header === undefined) {
        if (!isEmpty(record) && !isSeparatorLine(raw)) header = readHeader(record, separator);
      } else if (!isEmpty(record)) yield toRow(line, { header, separator }, record);
      line = info.lines + 1;
    }
  } finally {
    source.destroy();
    parser.destroy();
  }
  if (header === undefined && !unreadable) throw missingHeader();
  if (unreadable) yield { line, faults: [{ line, field: null, message: problemOf(unreadable) }] };
}

/** UTF-16 units that the parser reads at once: of two bytes a row some hundred rows. */
const PIECE = 1_024;

/** The same text in pieces, between which the event loop turns: the parser takes all rows of one at once. */
async function* inPieces(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of text) {
    for (let start = 0; start < chunk.length; ) {
      let end = Math.min(chunk.length, start + PIECE);
      // Pairs of surrogates are not cut: each half alone would be no character.
      if (end < chunk.length && (chunk.codePointAt(end - 1) as number) > 0xffff) end -= 1;
      yield chunk.slice(start, end);
      start = end;
      await setImmediate();
    }
  }
}

/** Lines of a record, without empty ones before it. */
function countLines(raw: string): number {
  return raw.replace(/^\n+/, '').replace(/\n$/, '').split('\n').length;
}

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** The names of the columns; empty for one without a name, which must stay empty. */
function readHeader(cells: readonly string[], separator: Separator): readonly string[] {
  const names = cells.map(toColumnName);
  const known: ReadonlySet<string> = new Set(COLUMNS);
  const faults = [
    ...REQUIRED_COLUMNS.filter((name) => !names.includes(name)).map((field) => ({
      field,
      message: `is a column that the header must have; cells are separated by ${NAMES[separator]}`,
    })),
    ...names.flatMap((name, at) => {
      if (name === '') return [];
      if (!known.has(name)) {
        return [{ field: cells[at]?.trim() ?? '', message: 'is not a known column' }];
      }
      return names.indexOf(name) < at ? [{ field: name, message: 'is given twice' }] : [];
    }),
  ];
  if (faults.length > 0) throw validationError(...faults.slice(0, 100));
  return names;
}

function missingHeader() {
  return validationError({
    field: 'body',
    message: `must begin with a header: ${COLUMNS.slice(0, 4).join(',')}`,
  });
}

/** The names and the separator of the columns. */
interface Columns {
  readonly header: readonly string[];
  readonly separator: Separator;
}

function toRow(line: number, { header, separator }: Columns, cells: readonly string[]): ReadRow {
  const stray = cells.findIndex((cell, at) => !header[at] && cell.trim() !== '');
  if (stray >= 0) {
    const message = `has a cell in column ${stray + 1}, for which the header has no name; put cells with ${NAMES[separator]} in quotes`;
    return { line, faults: [{ line, field: null, message }] };
  }
  const given = header.flatMap((name, at) => {
    const cell = cells[at]?.trim() ?? '';
    return cell === '' ? [] : [[name, name === 'confidence' ? withPoint(cell) : cell] as const];
  });
  return readRow(line, Object.fromEntries(given));
}

/** A number with a decimal comma, as spreadsheets of many languages write it, with a point. */
function withPoint(cell: string): string {
  return /^\d*,\d+$/.test(cell) ? cell.replace(',', '.') : cell;
}

function problemOf({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'has a quote that is not closed';
  return 'is longer than 64 KiB or has a quote that is not closed; nothing behind it was read';
}
