// npm run inventory -w @probity/detection-lab -- --data DIR [--task toxicity|injection|groundedness]
// Counts the rows of each task by cell and names the cells without rows.
import { resolve } from 'node:path';
import { readOptions, runScript } from './lib/arguments.ts';
import type { CellTask } from './lib/cell-rows.ts';
import { promisedValues, readCellRows, readWrittenCells, toCellTasks } from './lib/cell-rows.ts';
import type { CellRow, Dimension } from './lib/cells.ts';
import { DIMENSIONS, groupByCell, toColumns } from './lib/cells.ts';

type Parts = Readonly<Record<'train' | 'dev' | 'written', readonly CellRow[]>>;

/** Pairs of dimensions whose cells a detector needs rows in. */
const GRIDS: readonly (readonly [Dimension, Dimension, isHarmful: boolean])[] = [
  ['language', 'length', false],
  ['language', 'length', true],
  ['language', 'category', true],
  ['category', 'length', true],
  ['language', 'place', true],
];

async function main(args: readonly string[], folder: string): Promise<void> {
  const { data, task } = readOptions(args, ['task']);
  for (const name of toCellTasks(task)) printTask(resolve(folder, data), name);
}

function printTask(dataDir: string, task: CellTask): void {
  const parts: Parts = {
    train: readCellRows(dataDir, task, 'train'),
    dev: readCellRows(dataDir, task, 'dev'),
    written: readWrittenCells(task),
  };
  console.log(`\n# ${task}`);
  for (const dimension of Object.keys(DIMENSIONS) as Dimension[]) {
    console.log(`\n${dimension}, rows harmless and harmful\n${countTable(parts, dimension)}`);
  }
  const trained = new Set(parts.train.map(({ row }) => row.source));
  const sources = [...groupByCell(parts.dev, 'source').keys()];
  const shared = sources.filter((source) => trained.has(source)).length;
  console.log(`\n${shared} of the ${sources.length} sources in dev are also in train.`);
  console.log('Use the option --fold of the program cells to score held-out sources.');
  for (const grid of GRIDS) console.log(gridReport([...parts.train, ...parts.written], task, grid));
}

function countTable(parts: Parts, dimension: Dimension): string {
  const groups = Object.values(parts).map((rows) => groupByCell(rows, dimension));
  const cells = [...new Set(groups.flatMap((group) => [...group.keys()]))];
  const countsOf = (cell: string) => groups.map((group) => group.get(cell) ?? []);
  const total = (cell: string) => countsOf(cell).reduce((sum, { length }) => sum + length, 0);
  const lines = cells
    .sort((a, b) => total(b) - total(a))
    .map((cell) => [cell, ...countsOf(cell).flatMap((rows) => countByLabel(rows))]);
  const titles = Object.keys(parts).flatMap((part) => [part, '']);
  return toColumns([['', ...titles], ...lines]);
}

function countByLabel(rows: readonly CellRow[]): string[] {
  const harmful = rows.filter(({ isHarmful }) => isHarmful).length;
  return [String(rows.length - harmful), String(harmful)];
}

/** Names the cells of a grid without rows to train on, and those with fewer than 20. */
function gridReport(
  rows: readonly CellRow[],
  task: CellTask,
  [first, second, isHarmful]: (typeof GRIDS)[number],
): string {
  const kept = rows.filter((row) => row.isHarmful === isHarmful);
  const byFirst = groupByCell(kept, first);
  const valuesOf = (dimension: Dimension) =>
    promisedValues(task, dimension) ??
    [...groupByCell(kept, dimension).keys()].filter((value) => value !== 'unmarked');
  const cells = valuesOf(first).flatMap((a) => {
    const bySecond = groupByCell(byFirst.get(a) ?? [], second);
    return valuesOf(second).map((b) => ({
      name: `${a} ${b}`,
      count: bySecond.get(b)?.length ?? 0,
    }));
  });
  const empty = cells.filter(({ count }) => count === 0);
  const few = cells.filter(({ count }) => count > 0 && count < 20);
  const label = isHarmful ? 'harmful' : 'harmless';
  return [
    `\n${first} x ${second}, ${label}: ${empty.length} of ${cells.length} cells are empty`,
    `  empty: ${empty.map(({ name }) => name).join(', ') || 'none'}`,
    `  under 20 rows: ${few.map(({ name, count }) => `${name} (${count})`).join(', ') || 'none'}`,
  ].join('\n');
}

await runScript('inventory', () =>
  main(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd()),
);
