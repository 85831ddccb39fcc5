import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';

/** Largest file of terms or of protected text, in bytes. */
const MAX_NAMED_BYTES = 4_194_304;

/** The texts of a file, with the line on which each stands (null in JSON), or what is wrong with it. */
export type NamedFile =
  | { readonly texts: readonly string[]; readonly lines: readonly number[] | null }
  | { readonly fault: string };

/**
 * Reads a file of texts that a configuration names: with the ending `.json` a JSON list of texts.
 *
 * @param folder that of the configuration; relative paths begin there
 * @param form of other files: one text on each line that is not empty, or one text
 */
export function readNamedFile(path: string, folder: string, form: 'lines' | 'whole'): NamedFile {
  const file = resolve(folder, path);
  const content = readText(file);
  if ('fault' in content) return { fault: `${file} ${content.fault}` };
  const { text } = content;
  if (extname(file).toLowerCase() === '.json') {
    const texts = parseList(text);
    return texts ? { texts, lines: null } : { fault: `${file} is no JSON list of texts` };
  }
  if (form === 'whole') return { texts: text.trim() === '' ? [] : [text], lines: null };
  const numbered = text
    .split(/\r\n|\r|\n/)
    .map((line, at) => ({ line: line.trim(), at: at + 1 }))
    .filter(({ line }) => line !== '');
  return { texts: numbered.map(({ line }) => line), lines: numbered.map(({ at }) => at) };
}

function readText(file: string): { readonly text: string } | { readonly fault: string } {
  let bytes: Buffer;
  try {
    const opened = openSync(file, 'r');
    try {
      const stats = fstatSync(opened);
      // A pipe or a device might never end.
      if (!stats.isFile()) return { fault: 'is no file' };
      if (stats.size > MAX_NAMED_BYTES) {
        return { fault: `has ${stats.size} bytes; at most ${MAX_NAMED_BYTES} are read` };
      }
      bytes = readFileSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    return { fault: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
  if (!isUtf8(bytes)) return { fault: 'is not valid UTF-8' };
  // Without the mark of the order of bytes.
  return { text: new TextDecoder().decode(bytes) };
}

function parseList(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
    return isList ? value : undefined;
  } catch {
    return undefined;
  }
}
