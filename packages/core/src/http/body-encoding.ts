import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { ProbityError } from '../errors.ts';

/** Creates a stream that decompresses. */
type CreateDecoder = () => NodeJS.ReadWriteStream & Readable;

/** Node has zstd from 22.15 on. */
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: CreateDecoder };

const DECODERS: ReadonlyMap<string, CreateDecoder> = new Map([
  ['gzip', zlib.createGunzip as CreateDecoder],
  ['deflate', zlib.createInflate as CreateDecoder],
  ['br', zlib.createBrotliDecompress as CreateDecoder],
  ...(createZstdDecompress ? [['zstd', createZstdDecompress] as const] : []),
]);

const ACCEPTED = [...DECODERS.keys()].join(', ');

/** How a body is compressed. */
export interface BodyEncoding {
  readonly name: string;
  readonly createDecoder: CreateDecoder;
}

/** The encoding of a `Content-Encoding` header; null for none, undefined for an unknown one, and for several. */
export function encodingOf(header: string | undefined): BodyEncoding | null | undefined {
  const given = header?.trim().toLowerCase() || 'identity';
  if (given === 'identity') return null;
  // RFC 9110, section 8.4.1.3.
  const name = given === 'x-gzip' ? 'gzip' : given;
  const createDecoder = DECODERS.get(name);
  return createDecoder && { name, createDecoder };
}

/**
 * The encoding that a request declares for its body (RFC 9110, section 8.4); null for a body that is not compressed.
 * @throws ProbityError `unsupported_media_type` for an unknown encoding, and for several
 */
export function bodyEncodingOf({ headers }: IncomingMessage): BodyEncoding | null {
  const encoding = encodingOf(headers['content-encoding']);
  if (encoding !== undefined) return encoding;
  const given = String(headers['content-encoding']).trim().toLowerCase();
  const expected = given.includes(',') ? `one encoding of ${ACCEPTED}` : `one of ${ACCEPTED}`;
  throw new ProbityError(
    'unsupported_media_type',
    `Content-Encoding must be ${expected}, got ${given.slice(0, 100)}. Compress the body once, or send it uncompressed.`,
    { headers: { 'Accept-Encoding': ACCEPTED } },
  );
}

/**
 * Decompresses a body as it arrives, and stops at the first chunk beyond the limit.
 * @param limit largest decompressed body in bytes
 * @throws ProbityError `payload_too_large`; `invalid_request` for bytes that are not of this encoding
 */
export async function* decompress(
  chunks: AsyncIterable<Uint8Array>,
  { name, createDecoder }: BodyEncoding,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = createDecoder();
  // The iteration throws the same error.
  pipeline(Readable.from(chunks), decoder).catch(() => undefined);
  let length = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      if (length > limit) throw decompressedTooLarge(limit);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof ProbityError || !isOfDecoder(cause)) throw cause;
    const message = `The request body must be ${name} as its Content-Encoding says, got other or incomplete bytes.`;
    throw new ProbityError('invalid_request', message, { cause });
  }
}

/** Errors of zlib have an errno; errors of the source do not. */
function isOfDecoder(thrown: unknown): boolean {
  return thrown instanceof Error && 'errno' in thrown;
}

function decompressedTooLarge(limit: number): ProbityError {
  return new ProbityError(
    'payload_too_large',
    `The request body is larger than ${limit} bytes when it is decompressed.`,
    { headers: { Connection: 'close' } },
  );
}
