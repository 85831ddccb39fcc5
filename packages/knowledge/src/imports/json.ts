import { ProbityError } from '@probity/core';
import { JSONParser } from '@streamparser/json';
import { readRow } from './row.ts';
import type { ReadRow } from './types.ts';

/** Characters of one write to the parser, so that rows leave it as they are read. */
const SLICE = 8_192;
/** Characters between the ends of two rows; one that is longer would stay in memory whole. */
const MAX_ROW = 65_536;

/**
 * Rows of a JSON array as its text arrives.
 * @throws ProbityError `invalid_request` for what is no JSON array, or a row of more than 64 KiB
 */
export async function* readJson(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let read: unknown[] = [];
  let line = 0;
  let depth = 0;
  let isStarted = false;
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  parser.onValue = ({ value }) => {
    read.push(value);
  };
  const failed = (cause: unknown) => notJson(line, cause);
  parser.onError = (error) => {
    throw failed(error);
  };
  for await (const piece of text) {
    if (!isStarted) {
      const start = piece.trimStart();
      if (start === '') continue;
      if (!start.startsWith('[')) throw notArray();
      isStarted = true;
    }
    for (let from = 0; from < piece.length; from += SLICE) {
      const slice = piece.slice(from, from + SLICE);
      parser.write(slice);
      depth = read.length > 0 ? 0 : depth + slice.length;
      if (depth > MAX_ROW) throw tooLong(line + 1);
      const rows = read;
      read = [];
      for (const value of rows) yield readRow(++line, value);
    }
  }
  if (!isStarted) throw notArray();
  if (!parser.isEnded) throw failed(undefined);
}

function notArray(): ProbityError {
  return new ProbityError('invalid_request', 'The body must be a JSON array of nuggets.');
}

function notJson(line: number, cause: unknown): ProbityError {
  const place = line === 0 ? 'at its beginning' : `behind row ${line}`;
  return new ProbityError('invalid_request', `The body is not valid JSON ${place}.`, { cause });
}

function tooLong(line: number): ProbityError {
  return new ProbityError('invalid_request', `Row ${line} has more than 64 KiB.`);
}
