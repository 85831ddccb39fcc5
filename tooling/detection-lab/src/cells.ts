// npm run cells -w @probity/detection-lab -- --data DIR [--task toxicity|injection|groundedness] [--split train|dev]
//   [--fold K/N] [--limit N] [--wrong FILE]
// Scores rows with the library's stages and prints false alarms and recall by cell, worst first.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readOptions, runScript, toSplit, UsageError } from './lib/arguments.ts';
import { readCellRows, readOrdinary, toCellTasks } from './lib/cell-rows.ts';
import type { CellRow, Dimension } from './lib/cells.ts';
import { groupByCell } from './lib/cells.ts';
import type { ScoredCellRow } from './lib/scored-cells.ts';
import { scoreCells, toCellTable } from './lib/scored-cells.ts';
import { foldOfSource } from './lib/splits.ts';

const ORDINARY: readonly Dimension[] = ['kind', 'language', 'length'];
const HARMLESS: readonly Dimension[] = ['source', 'kind', 'language', 'length', 'place'];
const HARMFUL: readonly Dimension[] = [...HARMLESS, 'category'];

async function main(args: readonly string[], folder: string): Promise<void> {
  const options = readOptions(args, ['task', 'split', 'fold', 'limit', 'wrong']);
  const tasks = toCellTasks(options.task);
  const split = toSplit(options.split ?? 'dev');
  const isKept = toFoldFilter(options.fold);
  const limit = toLimit(options.limit);
  const ordinary = await scoreCells(readOrdinary(), undefined);
  print('ordinary texts, all default stages: false alarms in %', ordinary, ORDINARY);
  const wrong = ordinary.filter(isWrong);
  for (const task of tasks) {
    const rows = readCellRows(resolve(folder, options.data), task, split).filter(isKept);
    const scored = await scoreCells(firstOfEachSource(rows, limit), task);
    const [harmless, harmful] = [false, true].map((label) =>
      scored.filter(({ isHarmful }) => isHarmful === label),
    );
    print(`${task}, harmless rows of ${split}: false alarms in %`, harmless ?? [], HARMLESS);
    print(`${task}, harmful rows of ${split}: found in %`, harmful ?? [], HARMFUL);
    wrong.push(...scored.filter(isWrong));
  }
  if (options.wrong !== undefined) writeWrong(resolve(folder, options.wrong), wrong);
}

function print(title: string, rows: readonly ScoredCellRow[], dimensions: readonly Dimension[]) {
  console.log(`\n# ${title}`);
  for (const dimension of dimensions) console.log(`\n${toCellTable(rows, dimension)}`);
}

/** Keeps the sources of fold K of N, counted from 1, so that a trainer can hold exactly them out. */
function toFoldFilter(value: string | undefined): (row: CellRow) => boolean {
  if (value === undefined) return () => true;
  const [, fold = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(value) ?? []).map(Number);
  if (fold < 1 || fold > count) {
    throw new UsageError(`--fold must be K/N with K from 1 to N, got ${JSON.stringify(value)}`);
  }
  return ({ row }) => foldOfSource(row.source, count) === fold - 1;
}

function toLimit(value: string | undefined): number {
  const limit = value === undefined ? Number.POSITIVE_INFINITY : Number(value);
  if (limit >= 1) return limit;
  throw new UsageError(`--limit must be a number of rows from 1 on, got ${JSON.stringify(value)}`);
}

function firstOfEachSource(rows: readonly CellRow[], limit: number): CellRow[] {
  return [...groupByCell(rows, 'source').values()].flatMap((group) => group.slice(0, limit));
}

function isWrong({ isHarmful, isFlagged }: ScoredCellRow): boolean {
  return isHarmful !== isFlagged;
}

function writeWrong(path: string, rows: readonly ScoredCellRow[]): void {
  const lines = rows.map(({ row, kind, lang, categories, isBlocked, type }) => {
    const { id, source, text, label } = row;
    return JSON.stringify({ id, source, lang, kind, categories, label, isBlocked, type, text });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
}

await runScript('cells', () => main(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd()));
