import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FOLDER } from './paths.ts';

/** A file of `data/` is not as documented in `data/README.md`; the message names the file and the field. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
}

type Texts = readonly string[];

/** The fields of one file of `data/`; each method throws `DataFileError` where a field has another shape. */
export interface DataFile {
  /** A list of texts. */
  list(field: string): Texts;
  /** Lists of texts by name, in the file's order. */
  lists(field: string): Readonly<Record<string, Texts>>;
  /** A list of lists of texts. */
  groups(field: string): readonly Texts[];
  /** Texts by name. */
  texts(field: string): Readonly<Record<string, string>>;
  /** A list of objects, each as `read` makes it of a file of its own. */
  entries<T>(field: string, read: (entry: DataFile) => T): readonly T[];
  /** Objects by name. */
  named<T>(field: string, read: (entry: DataFile) => T): Readonly<Record<string, T>>;
  /** One text. */
  text(field: string): string;
  /** The names of the fields. */
  readonly fields: Texts;
}

/**
 * Reads `data/NAME.json`.
 *
 * @throws DataFileError for a missing file, or one that is no JSON object
 */
export function readDataFile(name: string): DataFile {
  const file = `data/${name}.json`;
  try {
    return toDataFile(JSON.parse(readFileSync(join(DATA_FOLDER, `${name}.json`), 'utf8')), file);
  } catch (cause) {
    if (cause instanceof DataFileError) throw cause;
    throw new DataFileError(`${file}: ${(cause as Error).message}`, { cause });
  }
}

/** Reads the fields of a parsed object; `place` begins the messages. */
export function toDataFile(value: unknown, place: string): DataFile {
  if (!isRecord(value)) throw new DataFileError(`${place}: expected an object`);
  const read = <T>(field: string, what: string, fits: (found: unknown) => found is T): T => {
    const found = value[field];
    if (!fits(found)) throw new DataFileError(`${place}: ${field}: expected ${what}`);
    return found;
  };
  return {
    fields: Object.keys(value),
    text: (field) => read(field, 'a text', isText),
    list: (field) => read(field, 'a list of texts', isList),
    lists: (field) => read(field, 'lists of texts by name', recordOf(isList)),
    groups: (field) => read(field, 'a list of lists of texts', arrayOf(isList)),
    texts: (field) => read(field, 'texts by name', recordOf(isText)),
    entries: (field, make) =>
      read(field, 'a list of objects', arrayOf(isRecord)).map((entry, at) =>
        make(toDataFile(entry, `${place}: ${field}[${at}]`)),
      ),
    named: (field, make) =>
      Object.fromEntries(
        Object.entries(read(field, 'objects by name', recordOf(isRecord))).map(([name, entry]) => [
          name,
          make(toDataFile(entry, `${place}: ${field}.${name}`)),
        ]),
      ),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isList(value: unknown): value is Texts {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function arrayOf<T>(fits: (value: unknown) => value is T) {
  return (value: unknown): value is readonly T[] => Array.isArray(value) && value.every(fits);
}

function recordOf<T>(fits: (value: unknown) => value is T) {
  return (value: unknown): value is Readonly<Record<string, T>> =>
    isRecord(value) && Object.values(value).every(fits);
}
