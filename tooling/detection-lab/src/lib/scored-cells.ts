import type { Verdict } from '@probity/pipeline/internal';
import { createRowScanner } from '@probity/pipeline/internal';
import type { CellTask } from './cell-rows.ts';
import type { CellRow, Dimension } from './cells.ts';
import { groupByCell, toColumns } from './cells.ts';
import { wilsonInterval } from './metrics.ts';

/** A row with the verdict of the built-in policy. */
export interface ScoredCellRow extends CellRow {
  readonly isBlocked: boolean;
  /** Flagged or blocked. */
  readonly isFlagged: boolean;
  /** The type of the finding with the highest score. */
  readonly type?: string;
}

/** The score that a task's rows are scanned for. */
const SCORES: Readonly<Record<CellTask, string>> = {
  toxicity: 'toxicity',
  injection: 'injection',
  groundedness: 'hallucination',
};

/**
 * Scans rows as `probity-scan --jsonl` does, with the built-in policy.
 *
 * @param task whose stage to run; undefined: all default stages
 */
export async function scoreCells(
  rows: readonly CellRow[],
  task: CellTask | undefined,
): Promise<ScoredCellRow[]> {
  const scores = task === undefined ? {} : { scores: [SCORES[task]] };
  const scan = createRowScanner({ ...scores, verdicts: true });
  const scored: ScoredCellRow[] = [];
  for (const row of rows) scored.push({ ...row, ...toOutcome(await scan(row.row)) });
  return scored;
}

/**
 * Lays out one line for each cell, worst first by the bound of its 95 % interval: the most false alarms of harmless
 * rows, the lowest share found of harmful ones.
 */
export function toCellTable(rows: readonly ScoredCellRow[], dimension: Dimension): string {
  const isRecall = rows.some(({ isHarmful }) => isHarmful);
  const cells = [...groupByCell(rows, dimension)].map(([cell, group]) => {
    const [low, high] = wilsonInterval(countOf(group, 'isFlagged'), group.length);
    return { rank: isRecall ? -high : low, line: toLine(cell, group) };
  });
  const lines = cells.sort((a, b) => b.rank - a.rank).map(({ line }) => line);
  const titles = [dimension, 'rows', 'blocked', '95 %', 'flagged', '95 %'];
  return toColumns([titles, toLine('all', rows), ...lines]);
}

function toLine(cell: string, group: readonly ScoredCellRow[]): string[] {
  const shares = (['isBlocked', 'isFlagged'] as const).flatMap((field) => {
    const hits = countOf(group, field);
    const [low, high] = wilsonInterval(hits, group.length);
    return [percent(hits / group.length), `${percent(low)} to ${percent(high)}`];
  });
  return [cell, String(group.length), ...shares];
}

function countOf(rows: readonly ScoredCellRow[], field: 'isBlocked' | 'isFlagged'): number {
  return rows.filter((row) => row[field]).length;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function toOutcome({ verdict, findings }: Verdict) {
  const isBlocked = verdict === 'blocked';
  const [first] = [...findings].sort((a, b) => b.score - a.score);
  const type = first === undefined ? {} : { type: first.type };
  return { isBlocked, isFlagged: isBlocked || verdict === 'flagged', ...type };
}
