import type { Verdict } from '../../src/cli/row-scanner.ts';
import { createRowScanner } from '../../src/cli/row-scanner.ts';
import type { Scored } from '../lib/metrics.ts';
import type { Row, Split, Task } from '../lib/rows.ts';
import { readCompanion, readRows } from '../lib/rows.ts';

/** A row with what a detector said of it. */
export interface Prediction extends Scored {
  readonly row: Row;
  readonly findings: Verdict['findings'];
}

/** Where the specification's thresholds lie (gateway configuration keys; truth: similarity_threshold). */
export const THRESHOLDS: Readonly<Record<Task, number>> = {
  pii: 0.6,
  injection: 0.5,
  toxicity: 0.7,
  hallucination: 0.8,
  truth: 0.7,
  contamination: 0.5,
};

/** Rows of the task `truth` that are about nothing in the knowledge base count as not contradicted. */
function isPositive({ label }: Row): boolean {
  return label === 1;
}

/** Scans the rows of a task as `probity-scan` does. A score that is absent counts as 0. */
export async function predict(dataDir: string, task: Task, split: Split): Promise<Prediction[]> {
  const scan = createRowScanner({
    scores: [task],
    ...(task === 'truth' ? { knowledge: readCompanion(dataDir, task, split) } : {}),
    ...(task === 'contamination' ? { protected: readCompanion(dataDir, task, split) } : {}),
  });
  const predictions: Prediction[] = [];
  for (const row of readRows(dataDir, task, split)) {
    const { scores, findings } = await scan(row);
    predictions.push({ row, score: scores[task] ?? 0, positive: isPositive(row), findings });
  }
  return predictions;
}
