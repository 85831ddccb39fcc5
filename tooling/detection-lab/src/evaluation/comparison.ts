import type { TextRange } from '@probity/pipeline';
import type { ComparedGroup, ComparedRow } from './compared-rows.ts';

/** A detector to compare. */
export interface ComparedDetector {
  readonly name: string;
  find(text: string): Promise<{ readonly isFound: boolean; readonly spans: readonly Place[] }>;
}

type Place = Pick<TextRange, 'start' | 'end'>;

/** For each detector the share found of each group. */
export interface TaskTable {
  readonly task: string;
  readonly groups: readonly {
    readonly name: string;
    readonly count: number;
    readonly isHarmful: boolean;
  }[];
  readonly lines: readonly { readonly name: string; readonly shares: readonly number[] }[];
}

/** Runs detectors over the rows of a task. Of rows with values each value counts, of others each row. */
export async function compareTask(
  task: string,
  groups: readonly ComparedGroup[],
  detectors: readonly ComparedDetector[],
): Promise<TaskTable> {
  const lines: { readonly name: string; readonly shares: readonly number[] }[] = [];
  for (const detector of detectors) {
    const shares: number[] = [];
    for (const { rows } of groups) {
      let found = 0;
      for (const row of rows) found += await foundIn(row, detector);
      shares.push(found / countOf(rows));
    }
    lines.push({ name: detector.name, shares });
  }
  return {
    task,
    lines,
    groups: groups.map(({ name, rows }) => ({
      name,
      count: countOf(rows),
      isHarmful: rows.some(({ isHarmful }) => isHarmful),
    })),
  };
}

/** A table in Markdown: the best of each column is bold. */
export function toTable({ task, groups, lines }: TaskTable): string {
  const best = groups.map(({ isHarmful }, column) => {
    const shares = lines.map((line) => line.shares[column] ?? 0);
    return (isHarmful ? Math.max(...shares) : Math.min(...shares)).toFixed(3);
  });
  const titles = groups.map(
    ({ name, count, isHarmful }) => `${isHarmful ? 'recall' : 'false alarms'}: ${name} (${count})`,
  );
  const rows = lines.map(({ name, shares }) => {
    const cells = shares.map((share, column) => {
      const cell = share.toFixed(3);
      return cell === best[column] ? `**${cell}**` : cell;
    });
    return `| ${[name, ...cells].join(' | ')} |`;
  });
  return [
    `## ${task}`,
    '',
    `| ${['', ...titles].join(' | ')} |`,
    `|${' --- |'.repeat(groups.length + 1)}`,
    ...rows,
    '',
  ].join('\n');
}

function countOf(rows: readonly ComparedRow[]): number {
  return rows.reduce((sum, { values }) => sum + Math.max(1, values.length), 0);
}

async function foundIn({ text, values }: ComparedRow, detector: ComparedDetector): Promise<number> {
  const { isFound, spans } = await detector.find(text);
  if (values.length === 0) return isFound ? 1 : 0;
  return values.filter((value) => {
    const start = text.indexOf(value);
    return spans.some((span) => span.start < start + value.length && span.end > start);
  }).length;
}
