/**
 * Translates offsets in UTF-16 units to bytes of UTF-8.
 *
 * @param offsets in any order; the text is gone through once
 */
export function byteOffsets(text: string, offsets: Iterable<number>): ReadonlyMap<number, number> {
  const bytes = new Map<number, number>();
  let at = 0;
  let sum = 0;
  for (const offset of [...new Set(offsets)].sort((left, right) => left - right)) {
    sum += Buffer.byteLength(text.slice(at, offset));
    at = offset;
    bytes.set(offset, sum);
  }
  return bytes;
}
