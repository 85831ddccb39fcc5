/** Buckets per doubling of the duration: the bounds of a bucket differ by 19 %. */
const PER_DOUBLING = 4;

/** The bucket of a duration: 0 up to a millisecond, and 60 for the longest attempt of 30 seconds. */
export function bucketOf(durationMs: number): number {
  return durationMs <= 1 ? 0 : Math.ceil(Math.log2(durationMs) * PER_DOUBLING);
}

/**
 * The duration in milliseconds below which the share `quantile` of the durations lies; null when there are
 * none. Within a bucket it is interpolated.
 * @param counts number of durations by bucket
 */
export function quantileOf(counts: ReadonlyMap<number, number>, quantile: number): number | null {
  const buckets = [...counts].sort(([left], [right]) => left - right);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let rank = quantile * total;
  for (const [bucket, count] of buckets) {
    if (rank <= count) return interpolate(bucket, rank / count);
    rank -= count;
  }
  return null;
}

function interpolate(bucket: number, share: number): number {
  const upper = 2 ** (bucket / PER_DOUBLING);
  const lower = bucket === 0 ? 0 : 2 ** ((bucket - 1) / PER_DOUBLING);
  return Math.round(lower + (upper - lower) * share);
}
