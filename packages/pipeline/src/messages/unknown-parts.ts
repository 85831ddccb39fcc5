import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';

/** What is done with the texts of a part. */
interface PartVisitor {
  replace(text: string, path: TextPath): unknown;
  /** Called for what is nested too deep; it stays as it is. */
  refuse(path: TextPath, expected: string, value: unknown): void;
}

/** Members that no model reads as text. */
const NO_TEXT: ReadonlySet<string> = new Set([
  ...['type', 'role', 'id', 'status', 'signature', 'encrypted_content', 'encrypted_index'],
  ...[
    'cache_control',
    'providerOptions',
    'provider_options',
    'media_type',
    'mediaType',
    'mimeType',
  ],
]);
const ID = /(?:_id|Id)$/;

/** Bytes as text: a data URL, or so many letters of base 64 that no words are among them. */
const BINARY = /^(?:data:[\w/+.-]*;base64,|[\w+/-]{200,}={0,2}$)/;

const MAX_DEPTH = 100;

/**
 * Replaces the texts of a part whose type is not known: everything but identifiers and bytes, since interfaces add
 * parts with every release, and a model reads them.
 *
 * @returns the value itself where nothing was replaced
 */
export function mapUnknown(
  value: unknown,
  path: TextPath,
  visitor: PartVisitor,
  depth = 0,
): unknown {
  if (typeof value === 'string') return BINARY.test(value) ? value : visitor.replace(value, path);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (depth === MAX_DEPTH) {
    visitor.refuse(path, `at most ${MAX_DEPTH} levels`, value);
    return value;
  }
  if (Array.isArray(value)) {
    const list = value.map((each: unknown, index) =>
      mapUnknown(each, below(path, index), visitor, depth + 1),
    );
    return list.some((each, index) => each !== value[index]) ? list : value;
  }
  let isChanged = false;
  const entries = Object.entries(value).map(([name, each]) => {
    if (NO_TEXT.has(name) || ID.test(name)) return [name, each] as const;
    const mapped = mapUnknown(each, below(path, name), visitor, depth + 1);
    isChanged ||= mapped !== each;
    return [name, mapped] as const;
  });
  return isChanged ? Object.fromEntries(entries) : value;
}
