import { keepNumbers } from '@probity/pipeline/protocols';
import { isMembers } from './json-rpc.ts';

/** A value without the Base64 in it. */
export interface TextualValue {
  readonly value: unknown;
  /** Texts that were Base64, and the letters in other contents. */
  readonly texts: readonly string[];
  /** How many had no text. */
  readonly binaries: number;
  /** Puts the Base64 back where it was taken from. */
  restore(value: unknown): unknown;
}

interface Taken {
  readonly path: readonly (string | number)[];
  readonly data: string;
}

/**
 * Takes the contents of images, sounds and files (`data` beside a `mimeType`, and `blob`) out of a value, since their
 * letters mean nothing. Bytes of a text are read as text, whatever type is named and with some wrong bytes too, and so are
 * the rows of letters among other bytes.
 */
export function takeBinaries(value: unknown): TextualValue {
  const taken: Taken[] = [];
  const rest = walk(value, [], taken);
  const contents = taken.map(({ data }) => contentOf(data));
  return {
    value: rest,
    texts: contents.flatMap(({ texts }) => texts),
    binaries: contents.filter(({ isBinary }) => isBinary).length,
    restore: (changed) =>
      taken.reduce<unknown>((held, { path, data }) => setAt(held, path, data), changed),
  };
}

function walk(value: unknown, path: readonly (string | number)[], taken: Taken[]): unknown {
  if (Array.isArray(value)) {
    const list = value.map((each, index) => walk(each, [...path, index], taken));
    return keepNumbers(list, value);
  }
  if (!isMembers(value)) return value;
  const hasType = typeof value.mimeType === 'string';
  const members = Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const below = [...path, name];
      const isBinary = name === 'blob' || (name === 'data' && hasType);
      if (!isBinary || typeof each !== 'string' || !isBase64(each)) {
        return [name, walk(each, below, taken)];
      }
      taken.push({ path: below, data: each });
      return [name, ''];
    }),
  );
  return keepNumbers(members, value);
}

/**
 * Letters in a row, in bytes or in units of UTF-16. In random bytes such rows are rare; short ones with quotes are not, and
 * look like an injection.
 */
const PRINTABLE_RUN = /(?:[ -~]\0?){20,}|(?:[A-Za-z\d @.+_:-]\0?){9,}/g;

/** What is no Base64 is a text, whatever its place says. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text);
}

/** The text of bytes; of a picture or the like only the letters in a row, since a program may show them. */
function contentOf(data: string): {
  readonly texts: readonly string[];
  readonly isBinary: boolean;
} {
  const bytes = Buffer.from(data, 'base64');
  try {
    return { texts: [new TextDecoder('utf-8', { fatal: true }).decode(bytes)], isBinary: false };
  } catch {
    if (isPrintable(bytes)) return { texts: [bytes.toString('utf8')], isBinary: false };
    const runs = bytes.toString('latin1').match(PRINTABLE_RUN) ?? [];
    const text = runs.map((run) => run.replaceAll('\0', '')).join('\n');
    return { texts: text === '' ? [] : [text], isBinary: true };
  }
}

/** Whether bytes are a text with some wrong ones among them, which programs show all the same. */
function isPrintable(bytes: Uint8Array): boolean {
  let count = 0;
  for (const byte of bytes) {
    if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09) count++;
  }
  return count > bytes.length * 0.9;
}

function setAt(value: unknown, path: readonly (string | number)[], data: string): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return data;
  if (Array.isArray(value)) {
    const list = value.map((each, index) => (index === name ? setAt(each, rest, data) : each));
    return keepNumbers(list, value);
  }
  // A name that was redacted: what stood below it stays away.
  if (!isMembers(value) || !Object.hasOwn(value, name)) return value;
  return keepNumbers({ ...value, [name]: setAt(value[name], rest, data) }, value);
}
