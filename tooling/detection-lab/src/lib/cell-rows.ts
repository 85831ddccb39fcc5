import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from './arguments.ts';
import type { CellRow, Dimension } from './cells.ts';
import { LENGTHS } from './cells.ts';
import { readDataFile } from './data-file.ts';
import { WRITTEN_FOLDER } from './paths.ts';
import type { Row, Split } from './rows.ts';
import { parseRow, RowError, readLines } from './rows.ts';
import { listWritten } from './written-rows.ts';

/** The detectors whose rows are counted and scored by cell. */
const CELL_TASKS = ['toxicity', 'injection', 'groundedness'] as const;

/** One of the detectors whose rows are counted and scored by cell. */
export type CellTask = (typeof CELL_TASKS)[number];

/** Folders of the data directory with rows of each task. */
const FOLDERS: Readonly<Record<CellTask, readonly string[]>> = {
  toxicity: ['toxicity2', 'toxicity'],
  injection: ['injection2', 'injection'],
  groundedness: ['groundedness2', 'hallucination'],
};

type Labels = Readonly<Record<string, unknown>>;

const KNOWN = readDataFile('row-labels').lists('labels');
const LANGUAGES = readDataFile('row-labels').lists('languages');

/** The languages, categories and places that a task promises to cover; undefined where nothing is promised. */
export function promisedValues(
  task: CellTask,
  dimension: Dimension,
): readonly string[] | undefined {
  if (dimension === 'language') return LANGUAGES[task];
  if (dimension === 'length') return LENGTHS;
  if (task === 'toxicity') return dimension === 'category' ? KNOWN.category : undefined;
  if (task === 'groundedness') return undefined;
  return dimension === 'category' ? KNOWN.family : KNOWN.place;
}

/**
 * Reads the value of `--task`; without one, all tasks.
 *
 * @throws UsageError for another name
 */
export function toCellTasks(value: string | undefined): readonly CellTask[] {
  const tasks = CELL_TASKS.filter((task) => value === undefined || task === value);
  if (tasks.length > 0) return tasks;
  throw new UsageError(`--task must be one of ${CELL_TASKS.join(', ')}, got ${value}`);
}

/**
 * Reads `FOLDER/SPLIT.jsonl[.gz]` for each folder of a task; folders that do not exist are skipped.
 *
 * @throws RowError when no folder exists, or naming file and line of a bad row or an unknown label
 */
export function readCellRows(dataDir: string, task: CellTask, split: Split): CellRow[] {
  const paths = FOLDERS[task]
    .flatMap((folder) => ['.jsonl', '.jsonl.gz'].map((end) => join(dataDir, folder, split + end)))
    .filter((path) => existsSync(path));
  if (paths.length === 0) {
    const wanted = FOLDERS[task].map((folder) => join(dataDir, folder)).join(' or ');
    throw new RowError(`--data must have ${split}.jsonl or ${split}.jsonl.gz in ${wanted}`);
  }
  return paths.flatMap((path) => readCellFile(path, task));
}

/** The rows of `written/TASK-*.jsonl`. */
export function readWrittenCells(task: CellTask): CellRow[] {
  return listWritten(`${task}-`).flatMap((name) =>
    readCellFile(`${WRITTEN_FOLDER}${name}.jsonl`, task),
  );
}

/** The texts of `written/ordinary.jsonl`, all harmless and for measuring alone. */
export function readOrdinary(): CellRow[] {
  const defaults = { task: 'ordinary', source: 'ordinary', label: 0 };
  return readLines(`${WRITTEN_FOLDER}ordinary.jsonl`, (line, place) =>
    toCellRow(parseRow(line, place, defaults), place),
  );
}

/**
 * Reads one file of rows and checks their labels. `task` is the task of rows that name none.
 *
 * @throws RowError naming file and line
 */
function readCellFile(path: string, task: string): CellRow[] {
  return readLines(path, (line, place) => toCellRow(parseRow(line, place, { task }), place));
}

function toCellRow(row: Row, place: string): CellRow {
  const { labels } = row;
  if (row.label !== 0 && row.label !== 1) throw new RowError(`${place}: label must be 0 or 1`);
  // What `place` means in a written document is its part, not where the document came from.
  const checked = labels.document === undefined ? labels : { ...labels, place: undefined };
  for (const [name, known] of Object.entries(KNOWN)) checkLabel(checked, name, known, place);
  const isHarmful = row.label === 1;
  return {
    row,
    isHarmful,
    lang: row.lang ?? 'unmarked',
    kind: textOf(row.kind ?? labels.kind ?? labels.task ?? labels.cls ?? labels.made_by),
    categories: isHarmful ? categoriesOf(row) : [],
    place: labels.document === undefined ? textOf(labels.place ?? labels.evidence) : 'document',
  };
}

function categoriesOf({ labels, types }: Row): string[] {
  const { category, family, error, perturbation, relation } = labels;
  const named = category ?? family ?? error ?? perturbation ?? relation ?? types;
  const list = [named].flat().map(String);
  return list.length === 0 ? ['unmarked'] : list;
}

function checkLabel(labels: Labels, name: string, known: readonly string[], place: string): void {
  const value = labels[name];
  const unknown = value === undefined ? [] : [value].flat().filter((one) => !isKnown(known, one));
  if (unknown.length > 0) refuse(`labels.${name}`, unknown[0], place);
}

function isKnown(known: readonly string[], value: unknown): boolean {
  return known.some((one) => one === value);
}

function refuse(field: string, value: unknown, place: string): never {
  throw new RowError(
    `${place}: ${field} has the unknown value ${JSON.stringify(value)}. Correct the row, or add the value to data/row-labels.json`,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : 'unmarked';
}
