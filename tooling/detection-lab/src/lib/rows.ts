import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BUILT_IN_STAGES } from '@probity/pipeline';

/** The tasks that have rows, each a folder of the data directory. */
export const TASKS = [
  'pii',
  'injection',
  'toxicity',
  'hallucination',
  'truth',
  'contamination',
] as const;

/** One of the tasks of the data directory. */
export type Task = (typeof TASKS)[number];

/** Which part of the data: `train` to fit on, `dev` to choose and calibrate on. */
export type Split = 'train' | 'dev';

/** Where a finding is, in UTF-16 units of the row's text. */
export interface RowSpan {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}

/** One labeled text. */
export interface Row {
  readonly id: string;
  /** The folder's task, or another name such as `sts`. */
  readonly task: string;
  /** What is judged; for hallucination, truth and contamination the model's response. */
  readonly text: string;
  readonly prompt?: string;
  /** The source document; for `sts` the second sentence. */
  readonly context?: string;
  /** The text's language, two letters. */
  readonly lang?: string;
  /** What sort of text it is, of rows that are for measuring alone. */
  readonly kind?: string;
  /** 1 where the text has what the task looks for, else 0; for `sts` a degree of similarity. */
  readonly label: number;
  /** What else is known of the row, such as the rule that made it or the nugget that it is about. */
  readonly labels: Readonly<Record<string, unknown>>;
  readonly types: readonly string[];
  readonly spans: readonly RowSpan[];
  /** Where the text comes from: what is held out is a whole source. */
  readonly source: string;
  /** Rows of one group belong together and never stand on two sides of a split. */
  readonly group?: string;
}

/** A row or a file that is not as documented; the message names the file and, for a row, the line. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

/**
 * Reads `DIR/TASK/SPLIT.jsonl`, or `.jsonl.gz` where that one is not there.
 *
 * @throws RowError for a missing file or a bad line
 */
export function readRows(dataDir: string, task: Task, split: Split): Row[] {
  const base = join(dataDir, task, `${split}.jsonl`);
  const path = [base, `${base}.gz`].find((candidate) => existsSync(candidate));
  if (path === undefined) throw new RowError(`${base}: neither this file nor ${base}.gz is there`);
  return readRowFile(path);
}

/**
 * Reads a file of JSON Lines, packed by gzip where its name ends in `.gz`. Empty lines are skipped.
 *
 * @throws RowError for an unreadable file or a bad line
 */
export function readRowFile(path: string): Row[] {
  return readLines(path, parseRow);
}

/**
 * Reads a file of JSON Lines as {@link readRowFile} does, with each line read by `parse`.
 *
 * @param parse gets the line and its place, `FILE:LINE`
 * @throws RowError for an unreadable file
 */
export function readLines<T>(path: string, parse: (line: string, place: string) => T): T[] {
  return readText(path)
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parse(line, `${path}:${index + 1}`)]));
}

/**
 * Reads a JSON array of strings, such as the knowledge base of the truth rows
 * (`DIR/truth/SPLIT.kb.json`) or the protected texts of contamination
 * (`DIR/contamination/SPLIT.corpus.json`).
 *
 * @throws RowError for an unreadable file or another shape
 */
export function readTexts(path: string): string[] {
  const parsed = parseJson(readText(path), path);
  if (!Array.isArray(parsed) || !parsed.every((entry) => typeof entry === 'string')) {
    throw new RowError(`${path}: expected a JSON array of strings`);
  }
  return parsed;
}

/** The texts that go with the rows of `truth` and `contamination`. */
export function readCompanion(
  dataDir: string,
  task: 'truth' | 'contamination',
  split: Split,
): string[] {
  const extension = task === 'truth' ? 'kb' : 'corpus';
  return readTexts(join(dataDir, task, `${split}.${extension}.json`));
}

/** Fields for a row that lacks them. */
export type RowDefaults = Partial<Pick<Row, 'task' | 'source' | 'label'>>;

/**
 * Reads one line. `spans` in it count code points and come back in UTF-16 units.
 *
 * @param place stands at the beginning of every error message
 * @throws RowError naming the place and the field at fault
 */
export function parseRow(line: string, place: string, defaults: RowDefaults = {}): Row {
  const given = parseJson(line, place);
  if (!isRecord(given)) throw new RowError(`${place}: expected a JSON object`);
  const fields = { ...defaults, ...given };
  const text = readString(fields, 'text', place);
  return {
    id: readString(fields, 'id', place),
    task: readString(fields, 'task', place),
    text,
    ...optionalString(fields, 'prompt', place),
    ...optionalString(fields, 'context', place),
    ...optionalString(fields, 'lang', place),
    ...optionalString(fields, 'kind', place),
    label: readLabel(fields, place),
    labels: readRecord(fields, place),
    types: checkTypes(readTypes(fields, place), readString(fields, 'task', place), place),
    spans: readSpans(fields, text, place),
    source: readString(fields, 'source', place),
    ...optionalString(fields, 'group', place),
  };
}

/** Turns an offset in code points into one in UTF-16 units; both count from 0. */
export function toUtf16Offset(text: string, codePoints: number): number {
  let units = 0;
  for (let count = 0; count < codePoints && units < text.length; count++) {
    units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1;
  }
  return units;
}

function readText(path: string): string {
  try {
    const bytes = readFileSync(path);
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (cause) {
    throw new RowError(`${path}: ${(cause as Error).message}`, { cause });
  }
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RowError(`${place}: ${(cause as Error).message}`, { cause });
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readString(fields: Fields, name: string, place: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new RowError(`${place}: ${name} must be a string`);
  return value;
}

function optionalString<Name extends 'prompt' | 'context' | 'lang' | 'kind' | 'group'>(
  fields: Fields,
  name: Name,
  place: string,
): { readonly [Key in Name]?: string } {
  if (fields[name] === undefined || fields[name] === null) return {};
  return { [name]: readString(fields, name, place) } as { readonly [Key in Name]?: string };
}

function readLabel({ label, task }: Fields, place: string): number {
  const isTask = TASKS.some((name) => name === baseOf(String(task)));
  if (label === 0 || label === 1) return label;
  if (!isTask && typeof label === 'number' && Number.isFinite(label)) return label;
  const shown = JSON.stringify(label)?.slice(0, 40);
  throw new RowError(`${place}: label must be ${isTask ? '0 or 1' : 'a number'}, got ${shown}`);
}

/** Returns the task of a second set, such as `toxicity2`. */
function baseOf(task: string): string {
  return task.replace(/\d+$/, '');
}

/** The types that the rows of a task may have; a task that is not here has types of other kinds. */
const TYPES: ReadonlyMap<string, readonly string[]> = new Map(
  BUILT_IN_STAGES.filter(({ name }) =>
    ['pii_scanner', 'injection_scanner', 'toxicity_scanner'].includes(name),
  ).map(({ score, types }) => [score, types]),
);

/**
 * Checks the types of a row.
 *
 * @param place the first part of the error message
 * @throws RowError naming the place, the unknown type and the known ones
 */
export function checkTypes(types: readonly string[], task: string, place: string): string[] {
  const known = TYPES.get(baseOf(task));
  const unknown = types.find((type) => known?.includes(type) === false);
  if (unknown === undefined) return [...types];
  throw new RowError(`${place}: types must be of ${known?.join(', ')}, got "${unknown}"`);
}

function readRecord({ labels = {} }: Fields, place: string): Fields {
  if (isRecord(labels)) return labels;
  throw new RowError(`${place}: labels must be an object`);
}

function readTypes({ types = [] }: Fields, place: string): string[] {
  if (Array.isArray(types) && types.every((type) => typeof type === 'string')) return types;
  throw new RowError(`${place}: types must be a list of strings`);
}

function readSpans({ spans = [] }: Fields, text: string, place: string): RowSpan[] {
  if (!Array.isArray(spans)) throw new RowError(`${place}: spans must be a list`);
  const length = [...text].length;
  return spans.map((span: unknown, index) => {
    if (!isRecord(span)) throw new RowError(`${place}: spans[${index}] must be an object`);
    const { start, end, type } = span;
    const valid =
      Number.isInteger(start) &&
      Number.isInteger(end) &&
      (start as number) >= 0 &&
      (start as number) < (end as number) &&
      (end as number) <= length;
    if (!valid) throw new RowError(`${place}: spans[${index}] lies outside the text`);
    if (typeof type !== 'string') {
      throw new RowError(`${place}: spans[${index}].type must be a string`);
    }
    return {
      start: toUtf16Offset(text, start as number),
      end: toUtf16Offset(text, end as number),
      type,
    };
  });
}
