/** Number of items of a page that fit into `maxBytes` together; the first always fits. */
export function countFitting(
  sizes: readonly number[],
  maxBytes = Number.POSITIVE_INFINITY,
): number {
  let sum = 0;
  const end = sizes.findIndex((size, index) => {
    sum += size;
    return index > 0 && sum > maxBytes;
  });
  return end === -1 ? sizes.length : end;
}
