import type { Matrix } from './matrix.ts';
import { dot, rowOf, scaleRows, zeros } from './matrix.ts';

/** For each of some rows the ones among them with the largest cosine to it, best first. */
export function nearestRows(
  matrix: Matrix,
  among: readonly number[],
  count: number,
): Map<number, number[]> {
  const unit = zeros(among.length, matrix.columns);
  among.forEach((row, at) => {
    rowOf(unit, at).set(rowOf(matrix, row));
  });
  scaleRows(unit, 1);
  const nearest = new Map<number, number[]>();
  const scores = new Float32Array(among.length);
  among.forEach((row, at) => {
    const own = rowOf(unit, at);
    for (let other = 0; other < among.length; other++) {
      scores[other] = other === at ? -1 : dot(own, rowOf(unit, other));
    }
    nearest.set(
      row,
      largest(scores, count).map((other) => among[other] as number),
    );
  });
  return nearest;
}

/** The places of the largest numbers, largest first. */
function largest(scores: Float32Array, count: number): number[] {
  const best: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] as number;
    if (best.length === count && score <= least) continue;
    if (best.length === count) best.pop();
    let place = best.length;
    while (place > 0 && (scores[best[place - 1] as number] as number) < score) place--;
    best.splice(place, 0, at);
    least = scores[best.at(-1) as number] as number;
  }
  return best;
}
