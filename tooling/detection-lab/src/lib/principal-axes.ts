const ROUNDS = 60;

/**
 * The directions in which rows of numbers differ most, each of length 1 and at right angles to the
 * others, by orthogonal iteration; the rows' mean is taken away from them in place.
 *
 * @param rows all of one length, which is at least `count`
 */
export function principalAxes(rows: readonly Float64Array[], count: number): Float64Array[] {
  center(rows);
  const spread = covariance(rows);
  let axes = Array.from({ length: count }, (_, axis) =>
    // Any start will do that is not at right angles to what is looked for.
    Float64Array.from(spread, (_row, at) => Math.sin(1 + 37 * axis + 11.3 * at)),
  );
  for (let round = 0; round < ROUNDS; round++) {
    axes = axes.map((axis) => Float64Array.from(spread, (row) => dot(row, axis)));
    straighten(axes);
  }
  return axes;
}

function center(rows: readonly Float64Array[]): void {
  const mean = new Float64Array(rows[0]?.length ?? 0);
  for (const row of rows) addTimes(mean, row, 1 / rows.length);
  for (const row of rows) addTimes(row, mean, -1);
}

function covariance(rows: readonly Float64Array[]): Float64Array[] {
  const length = rows[0]?.length ?? 0;
  const spread = Array.from({ length }, () => new Float64Array(length));
  for (const row of rows) {
    spread.forEach((line, at) => {
      addTimes(line, row, (row[at] as number) / rows.length);
    });
  }
  return spread;
}

/** Takes from each axis what it has of those before it, and gives it length 1 (Gram-Schmidt). */
function straighten(axes: readonly Float64Array[]): void {
  axes.forEach((axis, at) => {
    for (const before of axes.slice(0, at)) addTimes(axis, before, -dot(axis, before));
    const length = Math.sqrt(dot(axis, axis));
    axis.forEach((value, index) => {
      axis[index] = value / length;
    });
  });
}

function addTimes(to: Float64Array, row: Float64Array, times: number): void {
  for (let at = 0; at < to.length; at++) to[at] = (to[at] as number) + times * (row[at] as number);
}

function dot(left: Float64Array, right: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += (left[at] as number) * (right[at] as number);
  return sum;
}
