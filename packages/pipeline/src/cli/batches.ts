import type { PolicyDecision } from '../policy.ts';
import type { InputLine } from './lines.ts';
import type { RowScannerConfig } from './row-scanner.ts';
import { createRowJudge } from './row-scanner.ts';
import type { ScanRow, ScanRowError } from './scan-row.ts';
import { parseScanRow } from './scan-row.ts';
import type { ErrorLine, TableOptions } from './table.ts';
import { printError, printRow } from './table.ts';

/** What is scanned in one go: lines of JSON, or one text that is a row already. */
export type Batch = readonly InputLine[] | ScanRow;

/** The answers to a batch, as they are printed, and how many of them are errors. */
export interface BatchAnswer {
  readonly output: string;
  readonly rows: number;
  readonly errors: number;
  /** Texts that were scanned, by verdict; all 0 where no verdicts are made. */
  readonly verdicts: VerdictCounts;
  /** What back ends failed with: each message with the number of times. */
  readonly failures: ReadonlyMap<string, number>;
}

/** How many texts have each verdict. */
export type VerdictCounts = Readonly<Record<PolicyDecision['verdict'], number>>;

/** What batches are scanned with, and how the answers are printed. */
export interface RunnerConfig extends RowScannerConfig {
  /** How a table is printed; JSON Lines without. */
  readonly table?: TableOptions;
}

/** Scans batches. */
export interface BatchRunner {
  /** How many batches may be under way. */
  readonly capacity: number;
  run(batch: Batch): Promise<BatchAnswer>;
  close(): Promise<void>;
}

/** Lines and UTF-16 units that a batch holds at most; a longer line is a batch of its own. */
const MAX_LINES = 64;
const MAX_LENGTH = 128 * 1024;

/** Cuts lines into batches that take some milliseconds each. */
export function toBatches(lines: readonly InputLine[]): InputLine[][] {
  const batches: InputLine[][] = [];
  let batch: InputLine[] = [];
  let length = 0;
  for (const line of lines) {
    const size = line.text?.length ?? 0;
    if (batch.length === MAX_LINES || (batch.length > 0 && length + size > MAX_LENGTH)) {
      batches.push(batch);
      batch = [];
      length = 0;
    }
    batch.push(line);
    length += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** Scans batches in this thread, one row after the other. */
export function createLocalRunner(config: RunnerConfig): BatchRunner {
  let failures = new Map<string, number>();
  const scan = createRowJudge(config, (error) => {
    const message = messageOf(error);
    failures.set(message, (failures.get(message) ?? 0) + 1);
  });
  return {
    capacity: 1,
    async run(batch) {
      failures = new Map();
      const answers: string[] = [];
      let errors = 0;
      const verdicts = { allowed: 0, flagged: 0, blocked: 0 };
      const { table } = config;
      const answer = async (line: number, row: () => ScanRow) => {
        let id: string | number | undefined;
        try {
          const parsed = row();
          id = parsed.id;
          const scanned = await scan(parsed);
          const { verdict } = scanned;
          const unfinished = verdict.error !== undefined;
          if (unfinished) errors++;
          if (verdict.verdict !== undefined) verdicts[verdict.verdict]++;
          if (table !== undefined) answers.push(printRow(parsed, scanned, table));
          else answers.push(JSON.stringify(unfinished ? { ...verdict, line } : verdict));
        } catch (error) {
          errors++;
          const told = toErrorLine(error, line, id);
          answers.push(table === undefined ? JSON.stringify(told) : printError(told, table));
        }
      };
      if (!isLines(batch)) await answer(1, () => batch);
      else for (const { number, text } of batch) await answer(number, () => toRow(text));
      return {
        output: `${answers.join('\n')}\n`,
        rows: answers.length,
        errors,
        verdicts,
        failures,
      };
    },
    close: async () => {},
  };
}

function isLines(batch: Batch): batch is readonly InputLine[] {
  return Array.isArray(batch);
}

function toRow(text: string | undefined): ScanRow {
  if (text === undefined) throw new RangeError('the line is too long');
  return parseScanRow(text);
}

function toErrorLine(error: unknown, line: number, known: string | number | undefined): ErrorLine {
  const { message, id = known } = error as ScanRowError;
  return { ...(id === undefined ? {} : { id }), line, error: message };
}

/** What a server or a library says may be long; what a back end says is one line already. */
function messageOf(error: unknown): string {
  return String((error as Error | undefined)?.message ?? error).split('\n', 1)[0] ?? '';
}
