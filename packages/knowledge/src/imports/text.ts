import { TextDecoder } from 'node:util';
import { ProbityError } from '@probity/core';

/** Larger pieces are cut, so that other requests are served between them. */
const PIECE_BYTES = 65_536;

/** A text in UTF-16 begins so: spreadsheets save "Unicode text" in it. */
const MARKS: ReadonlyArray<readonly [first: number, second: number, encoding: string]> = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
];

/**
 * The text of a body as it arrives, in pieces, without a byte order mark and with LF at the end of lines.
 * @throws ProbityError `invalid_request` for bytes that are not UTF-8, and not UTF-16 with a byte order mark
 */
export async function* textOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let carriage = '';
  for await (const chunk of withHead(chunks)) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = carriage + decode(decoder, chunk.subarray(from, from + PIECE_BYTES));
      // The other half of a line's end may come with the next piece.
      carriage = piece.endsWith('\r') ? '\r' : '';
      const text = piece.slice(0, piece.length - carriage.length).replaceAll(/\r\n?/g, '\n');
      if (text !== '') yield text;
    }
  }
  const rest = carriage + (decoder ? decode(decoder, undefined) : '');
  if (rest !== '') yield rest.replaceAll(/\r\n?/g, '\n');
}

/** The same bytes, of which the first part has the byte order mark whole. */
async function* withHead(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined;
  for await (const chunk of chunks) {
    const part: Uint8Array = head ? Buffer.concat([head, chunk]) : chunk;
    head = part.length < 2 ? part : undefined;
    if (!head) yield part;
  }
  if (head) yield head;
}

function encodingOf([first, second]: Uint8Array): string {
  return MARKS.find((mark) => mark[0] === first && mark[1] === second)?.[2] ?? 'utf-8';
}

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch (cause) {
    const message = `The body is not valid ${decoder.encoding.toUpperCase()}. Save the file as UTF-8, in a spreadsheet as "CSV UTF-8".`;
    throw new ProbityError('invalid_request', message, { cause });
  }
}
