import { createReadStream, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { CommandLineError, reasonOf } from './options.ts';

/** Folders of tools and of installed packages, which a folder is scanned without. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['.git', '.hg', '.svn', 'node_modules', '.venv', '__pycache__', '.cache'],
]);
/** A file with a NUL among its first bytes is binary, as Git decides it, and so is a PDF, which may have none. */
const SEEN_BYTES = 8_000;
const PDF = Buffer.from('%PDF-');
const CHUNK_BYTES = 256 * 1024;
/** The longest text: JavaScript's strings end at twice as many units, and the text is there twice while it is decoded. */
const MAX_TEXT_MIB = 256;

/** A file to scan. */
export interface InputFile {
  /** As it was named, or the path of the folder with the path in it; `-` is standard input. */
  readonly path: string;
  /** Bytes; undefined for a stream. */
  readonly bytes: number | undefined;
  /** Whether it was found in a folder: a binary file is then left out without an error. */
  readonly isFound: boolean;
}

/**
 * The files that paths name: a file itself, a folder with the files in it and in its folders, in the
 * order of the paths, and within a folder by name (by UTF-16 units, files and folders in one order).
 * Version control, installed packages and caches are left out, and so are links and what is no file.
 *
 * @param extensions of the files of folders, lower case and with a dot; undefined for all
 * @throws CommandLineError for the first path that cannot be read, and for a folder without files
 */
export function findInputFiles(
  paths: readonly string[],
  extensions: ReadonlySet<string> | undefined,
): InputFile[] {
  return paths.flatMap((path) => {
    if (path === '-') return { path, bytes: undefined, isFound: false };
    const stats = readable(path, () => statSync(path));
    if (!stats.isDirectory()) {
      return { path, bytes: stats.isFile() ? stats.size : undefined, isFound: false };
    }
    const found = [...filesIn(path, extensions)];
    if (found.length > 0) return found;
    const ending = extensions === undefined ? '' : ` that ends in ${[...extensions].join(' or ')}`;
    throw new CommandLineError(`nothing to scan: ${path} has no file${ending}`);
  });
}

function* filesIn(
  folder: string,
  extensions: ReadonlySet<string> | undefined,
): Generator<InputFile> {
  const entries = readable(folder, () => readdirSync(folder, { withFileTypes: true }));
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) yield* filesIn(path, extensions);
    if (!entry.isFile()) continue;
    if (extensions?.has(extname(entry.name).toLowerCase()) === false) continue;
    yield { path, bytes: readable(path, () => statSync(path)).size, isFound: true };
  }
}

function readable<Value>(path: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    const isText = /\s/.test(path) && (error as NodeJS.ErrnoException).code === 'ENOENT';
    const hint = isText ? "; to scan a text: echo 'a text' | probity-scan -" : '';
    throw new CommandLineError(`cannot read ${path}: ${reasonOf(error)}${hint}`);
  }
}

/** Bytes of all files; undefined where one of them is a stream. */
export function sizeOf(files: readonly InputFile[]): number | undefined {
  return files.reduce<number | undefined>(
    (sum, { bytes }) => (sum === undefined || bytes === undefined ? undefined : sum + bytes),
    files.length === 0 ? undefined : 0,
  );
}

/** What was not scanned of the files. */
export interface Unscanned {
  /** Number of binary files of folders. */
  binary: number;
  /** A line for each file that could not be read, or not to its end. */
  readonly unreadable: string[];
}

/**
 * The bytes of a file.
 *
 * @returns whether that was all of it: false where it cannot be read or is binary; `unscanned` has it then
 */
export async function* chunksOf(
  { path, isFound }: InputFile,
  stdin: AsyncIterable<Uint8Array | string>,
  unscanned: Unscanned,
): AsyncGenerator<Uint8Array | string, boolean> {
  let isFirst = true;
  try {
    const stream = path === '-' ? stdin : createReadStream(path, { highWaterMark: CHUNK_BYTES });
    for await (const chunk of stream) {
      const bytes = chunk as Uint8Array | string;
      if (isFirst && typeof bytes !== 'string' && isBinary(bytes)) {
        if (isFound) unscanned.binary++;
        else
          unscanned.unreadable.push(`cannot scan ${path}: it is a binary file; extract its text`);
        return false;
      }
      isFirst = false;
      yield bytes;
    }
    return true;
  } catch (error) {
    unscanned.unreadable.push(`cannot read ${path}: ${reasonOf(error)}`);
    return false;
  }
}

/**
 * The text of a file: UTF-8, or UTF-16 that begins with a byte order mark, as Windows writes it.
 *
 * @returns undefined where it is not all there, or too long; `unscanned` has it then
 */
export async function readText(
  { path }: InputFile,
  chunks: AsyncGenerator<Uint8Array | string, boolean>,
  unscanned: Unscanned,
  maxMib: number = MAX_TEXT_MIB,
): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return value ? decode(Buffer.concat(parts)) : undefined;
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    parts.push(bytes);
    length += bytes.length;
    if (length <= maxMib * 2 ** 20) continue;
    await chunks.return(false);
    const limit = `it is longer than ${maxMib} MiB; cut it, or give its parts as rows (--jsonl)`;
    unscanned.unreadable.push(`cannot scan ${path}: ${limit}`);
    return undefined;
  }
}

function isBinary(bytes: Uint8Array): boolean {
  if (encodingOf(bytes) !== 'utf-8') return false;
  const seen = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SEEN_BYTES));
  return seen.includes(0) || seen.subarray(0, PDF.length).equals(PDF);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
