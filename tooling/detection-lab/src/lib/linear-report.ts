import type { LinearModel } from '@probity/pipeline/internal';
import { scoreAt } from '@probity/pipeline/internal';
import type { HeldOutRow, Recipe } from './linear-recipe.ts';
import { auroc, tprAtFpr } from './metrics.ts';

/** Prints what a model reaches on the rows of each fold, and on all of them. */
export function reportHeldOut(
  heldOut: readonly HeldOutRow[],
  model: LinearModel,
  recipe: Recipe,
): void {
  recipe.folds.forEach((fold) => {
    const held = heldOut.filter(({ source }) => fold.test(source));
    const labels = new Set(held.map(({ label }) => label));
    if (labels.size < 2) return;
    console.log(describe(`without ${fold.source}`, held, model, recipe));
  });
  console.log(describe('all of them', heldOut, model, recipe));
}

/** Prints per source how many of its held-out rows score 0.5 or more. */
export function reportSources(
  heldOut: readonly HeldOutRow[],
  { heads }: LinearModel,
  { judge, verdict }: Recipe,
): void {
  const counts = new Map<string, [rows: number, above: number]>();
  for (const row of heldOut) {
    const key = `${row.label === 1 ? 'attacks ' : 'harmless'} ${row.source}`;
    const count = counts.get(key) ?? [0, 0];
    counts.set(key, count);
    const scores = heads.map(({ curve }, head) => scoreAt(curve, judge(row.logOdds, head, row)));
    count[0]++;
    if (verdict(scores, row) >= 0.5) count[1]++;
  }
  for (const [key, [rows, above]] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${key}: ${(above / rows).toFixed(3)} of ${rows}`);
  }
}

function describe(
  name: string,
  rows: readonly HeldOutRow[],
  { heads }: LinearModel,
  { judge, verdict }: Recipe,
): string {
  const scored = rows.map((row) => {
    const scores = heads.map(({ curve }, head) => scoreAt(curve, judge(row.logOdds, head, row)));
    return { score: verdict(scores, row), positive: row.label === 1 };
  });
  const figures = [auroc(scored), tprAtFpr(scored, 0.01)].map((value) => value.toFixed(3));
  return `${name}: AUROC ${figures[0]}, TPR at 1 % FPR ${figures[1]}`;
}
