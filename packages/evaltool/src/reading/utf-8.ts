import { TextDecoder } from 'node:util';
import { EvaluationError } from '../errors.ts';

/** Bytes that tell the encoding of a text. */
const HEAD_BYTES = 2;

/**
 * The bytes of a text in UTF-8. A text in UTF-16, as PowerShell writes the output of a program, is converted: it begins with a
 * byte order mark, or its first character has a zero byte.
 * @throws EvaluationError `invalid_json` for UTF-16 with half a character
 */
export async function* toUtf8(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  let decoder: TextDecoder | undefined;
  const encoder = new TextEncoder();
  for await (const chunk of source) {
    let bytes = chunk;
    if (head) {
      bytes = Buffer.concat([head, chunk]);
      if (bytes.length < HEAD_BYTES) {
        head = bytes;
        continue;
      }
      decoder = decoderOf(bytes);
      head = undefined;
    }
    yield decoder ? encoder.encode(decode(decoder, bytes)) : bytes;
  }
  if (head && head.length > 0) yield head;
  if (decoder) yield encoder.encode(decode(decoder, undefined));
}

function decoderOf([first, second]: Uint8Array): TextDecoder | undefined {
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  if (!isLittle && !isBig) return undefined;
  return new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be', { fatal: true });
}

function decode(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    throw new EvaluationError(
      'invalid_json',
      '',
      'The file is not valid UTF-16. Write it again as UTF-8.',
    );
  }
}
