import { isMembers } from './json-rpc.ts';

/** A value without the Base64 in it. */
export interface TextualValue {
  readonly value: unknown;
  /** Texts that were Base64. */
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
 * letters are no text. What is text in truth, whatever type is named and with some wrong bytes too, is read as text.
 */
export function takeBinaries(value: unknown): TextualValue {
  const taken: Taken[] = [];
  const rest = walk(value, [], taken);
  const texts = taken.map(({ data }) => textIn(data)).filter((text) => text !== null);
  return {
    value: rest,
    texts,
    binaries: taken.length - texts.length,
    restore: (changed) =>
      taken.reduce<unknown>((held, { path, data }) => setAt(held, path, data), changed),
  };
}

function walk(value: unknown, path: readonly (string | number)[], taken: Taken[]): unknown {
  if (Array.isArray(value)) return value.map((each, index) => walk(each, [...path, index], taken));
  if (!isMembers(value)) return value;
  const hasType = typeof value.mimeType === 'string';
  return Object.fromEntries(
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
}

/** What is no Base64 is a text, whatever its place says. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text);
}

function textIn(data: string): string | null {
  const bytes = Buffer.from(data, 'base64');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return isPrintable(bytes) ? bytes.toString('utf8') : null;
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
    return value.map((each, index) => (index === name ? setAt(each, rest, data) : each));
  }
  // A name that was redacted: what stood below it stays away.
  if (!isMembers(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: setAt(value[name], rest, data) };
}
