import { createReadStream } from 'node:fs';
import type { CommandContext } from './context.ts';
import { reasonOf, usageFailure } from './failure.ts';

/** A file that a command reads; `-` is standard input. */
export interface InputSource {
  readonly path: string;
  /** A longer input is refused. */
  readonly maxBytes: number;
}

/**
 * The bytes of a file or of standard input.
 * @throws CommandFailure when it cannot be read, or is longer than `maxBytes`
 */
export async function* readChunks(
  { path, maxBytes }: InputSource,
  { stdin, signal }: CommandContext,
): AsyncGenerator<Uint8Array, void, undefined> {
  const name = path === '-' ? 'standard input' : path;
  let length = 0;
  try {
    const source = path === '-' ? stdin : createReadStream(path, { signal });
    for await (const chunk of source) {
      length += chunk.length;
      if (length > maxBytes) {
        throw usageFailure(`${name} is larger than ${maxBytes / 1_048_576} MiB`);
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw usageFailure(`cannot read ${name}: ${reasonOf(error)}`, error);
    }
    throw error;
  }
}

/**
 * The text of a file or of standard input, without a byte order mark.
 * @throws CommandFailure as {@link readChunks}, or for bytes that are not UTF-8
 */
export async function readText(source: InputSource, context: CommandContext): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(source, context)) chunks.push(chunk);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw usageFailure(`${source.path}: the text is not UTF-8`, error);
  }
}
