import { TextDecoder } from 'node:util';
import { ProbityError } from '@probity/core';

/** Larger pieces are cut, so that other requests are served between them. */
const PIECE_BYTES = 65_536;

/**
 * The text of a body as it arrives, in pieces, without a byte order mark and with LF at the end of lines.
 * @throws ProbityError `invalid_request` for bytes that are neither UTF-8 nor UTF-16
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

/** UTF-16, in which spreadsheets save "Unicode text", begins with its mark, or with a letter that has a zero byte. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
}

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch (cause) {
    const message = `The body is not valid ${decoder.encoding.toUpperCase()}. Save the file as UTF-8, in a spreadsheet as "CSV UTF-8".`;
    throw new ProbityError('invalid_request', message, { cause });
  }
}
