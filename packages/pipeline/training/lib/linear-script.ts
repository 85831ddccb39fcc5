import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LinearModel, scoreAt, writeModel } from '../../src/models/model-file.ts';
import { readOptions } from './arguments.ts';
import type { HeldOutRow, LearnRow, Recipe, Trained } from './linear-recipe.ts';
import { auroc, tprAtFpr } from './metrics.ts';
import { readRows, type Task } from './rows.ts';

/** What a training script brings. */
export interface TrainingScript {
  readonly task: Task;
  readonly recipe: Recipe;
  /** Rows of the generators. */
  readonly made: () => readonly LearnRow[];
  readonly train: (rows: readonly LearnRow[], recipe: Recipe) => Trained;
}

/**
 * Reads `--data DIR`, trains on its training rows and the made ones, writes `models/TASK.bin` (or
 * `--out FILE`) and prints what the model reaches on sources that it has not seen.
 */
export function runTraining(args: readonly string[], script: TrainingScript): void {
  const options = readOptions(args, ['out']);
  const rows = [...readRows(options.data, script.task, 'train'), ...script.made()];
  const { model, heldOut } = script.train(rows, script.recipe);
  const bytes = writeModel(model);
  const models = join(import.meta.dirname, '..', '..', '..', 'models');
  const file = options.out ?? join(models, `${script.task}.bin`);
  writeFileSync(file, bytes);
  console.log(`${rows.length} rows, ${bytes.length} bytes: ${file}`);
  script.recipe.folds.forEach((fold) => {
    const held = heldOut.filter(({ source }) => fold.test(source));
    console.log(describe(`without ${fold.source}`, held, model, script.recipe));
  });
  console.log(describe('all of them', heldOut, model, script.recipe));
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
