import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { validationError } from '@probity/core';
import type { CsvError, Info } from 'csv-parse';
import { parse } from 'csv-parse';
import { COLUMNS, REQUIRED_COLUMNS, readRow } from './row.ts';
import type { ReadRow } from './types.ts';

/** Largest row in bytes; what is longer has a quote that is not closed. */
const MAX_ROW_BYTES = 65_536;

interface CsvRecord {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: Info;
}

/**
 * Rows of a CSV file (RFC 4180) with a header, as its text arrives. Empty cells are members that are not given.
 * @throws ProbityError `validation_failed` naming the columns of a wrong header
 */
export async function* readCsv(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let unreadable: CsvError | undefined;
  const parser = parse({
    bom: true,
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
  const source = Readable.from(inPieces(text));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let header: readonly string[] | undefined;
  let line = 1;
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<CsvRecord>) {
      if (unreadable) break;
      line = info.lines - countLines(raw) + 1;
      if (header === undefined) header = readHeader(record);
      else yield toRow(line, header, record);
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

function readHeader(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const known: ReadonlySet<string> = new Set(COLUMNS);
  const faults = [
    ...REQUIRED_COLUMNS.filter((name) => !names.includes(name)).map((field) => ({
      field,
      message: 'is a column that the header must have',
    })),
    ...names.flatMap((name, at) => {
      if (!known.has(name)) {
        return [
          { field: cells[at]?.trim() || `column ${at + 1}`, message: 'is not a known column' },
        ];
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

function toRow(line: number, header: readonly string[], cells: readonly string[]): ReadRow {
  if (cells.length > header.length) {
    const message = `has ${cells.length} cells, the header ${header.length}; put cells with commas in quotes`;
    return { line, faults: [{ line, field: null, message }] };
  }
  const given = header.flatMap((name, at) => {
    const cell = cells[at]?.trim() ?? '';
    return cell === '' ? [] : [[name, cell] as const];
  });
  return readRow(line, Object.fromEntries(given));
}

function problemOf({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'has a quote that is not closed';
  return 'is longer than 64 KiB or has a quote that is not closed; nothing behind it was read';
}
