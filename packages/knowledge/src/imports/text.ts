import { TextDecoder } from 'node:util';
import { ProbityError } from '@probity/core';

/** Larger pieces are cut, so that other requests are served between them. */
const PIECE_BYTES = 65_536;

/**
 * The text of a body as it arrives, in pieces, without a byte order mark and with LF at the end of lines.
 * @throws ProbityError `invalid_request` for what is not UTF-8
 */
export async function* textOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let carriage = '';
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = carriage + decode(decoder, chunk.subarray(from, from + PIECE_BYTES));
      // The other half of a line's end may come with the next piece.
      carriage = piece.endsWith('\r') ? '\r' : '';
      const text = piece.slice(0, piece.length - carriage.length).replaceAll(/\r\n?/g, '\n');
      if (text !== '') yield text;
    }
  }
  const rest = carriage + decode(decoder, undefined);
  if (rest !== '') yield rest.replaceAll(/\r\n?/g, '\n');
}

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch (cause) {
    throw new ProbityError('invalid_request', 'The body is not valid UTF-8.', { cause });
  }
}
