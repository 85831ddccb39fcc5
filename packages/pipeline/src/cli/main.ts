import { readFileSync } from 'node:fs';
import { PipelineConfigError } from '../errors.ts';
import type { Environment } from '../settings/backend-settings.ts';
import type { Batch, BatchRunner, RunnerConfig, VerdictCounts } from './batches.ts';
import { createLocalRunner, toBatches } from './batches.ts';
import type { InputFile, Unscanned } from './input-files.ts';
import { chunksOf, findInputFiles, readText, sizeOf } from './input-files.ts';
import { readLines } from './lines.ts';
import { checkModels } from './models-check.ts';
import type { CommandLine, FailOn } from './options.ts';
import { CommandLineError, readCommandLine } from './options.ts';
import type { Output, OutputStream } from './output.ts';
import { createOutput } from './output.ts';
import type { Progress } from './progress.ts';
import { createNoProgress, createProgress } from './progress.ts';
import { createRowScanner, RowScannerError } from './row-scanner.ts';
import { printSummary } from './table.ts';
import { createThreadRunner, ThreadError } from './threads.ts';
import { HELP } from './usage.ts';

/** The streams of a process, and its variables. */
export interface CommandStreams {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: OutputStream;
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  /** Variables that a configuration may name. Default: none. */
  readonly env?: Environment;
}

/**
 * Runs `probity-scan`.
 *
 * @param args the command line without program and script
 * @returns the exit code: 0 when every row was scanned, 1 when some were not or `models check` found too
 *   many false alarms, 2 when nothing could be done, 3 when all were scanned and one has the verdict that
 *   `--fail-on` names or a worse one
 */
export async function main(args: readonly string[], streams: CommandStreams): Promise<number> {
  try {
    const command = readCommandLine(args, streams.env ?? {});
    if (command === 'help') return print(streams, HELP);
    if (command === 'version') return print(streams, `${version()}\n`);
    if ('checked' in command) {
      return await checkModels(command.checked, (text) => streams.stdout.write(text));
    }
    return await scan(command, streams);
  } catch (error) {
    if (!isExpected(error)) throw error;
    streams.stderr.write(`probity-scan: ${error.message}\n`);
    return 2;
  }
}

function isExpected(error: unknown): error is Error {
  return (
    error instanceof CommandLineError ||
    error instanceof RowScannerError ||
    error instanceof PipelineConfigError ||
    error instanceof ThreadError
  );
}

function print({ stdout }: CommandStreams, text: string): number {
  stdout.write(text);
  return 0;
}

function version(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** Weaker findings read like accusations; programs that ask for JSON Lines get all of them. */
const READABLE_FROM = 0.3;

function defaultMinScore({ jsonl, format }: CommandLine, isTable: boolean): number {
  const isForPrograms = !isTable && (jsonl || format === 'jsonl');
  return isForPrograms ? 0 : READABLE_FROM;
}

async function scan(command: CommandLine, streams: CommandStreams): Promise<number> {
  const { threads } = command;
  const { stdout, env = {} } = streams;
  const isTable = (command.format ?? (stdout.isTTY ? 'table' : 'jsonl')) === 'table';
  const minScore = command.minScore ?? defaultMinScore(command, isTable);
  const table = { color: isColored(stdout, env), minScore };
  const config: RunnerConfig = {
    ...command.config,
    minScore,
    verdicts: isTable || command.failOn !== undefined,
    ...(isTable ? { table } : {}),
  };
  const files = filesOf(command);
  // A configuration that is wrong is reported here, not by each thread.
  if (threads > 1) createRowScanner(config);
  const runner = threads > 1 ? createThreadRunner(config, threads) : createLocalRunner(config);
  const progress = progressFor(command, streams, sizeOf(files));
  const unscanned: Unscanned = { binary: 0, unreadable: [] };
  const open = (file: InputFile) =>
    counted(chunksOf(file, streams.stdin, unscanned), (bytes) => progress.add(0, bytes));
  const batches = command.jsonl ? lineBatches(files, open) : textBatches(files, open, unscanned);
  try {
    const { rows, errors, verdicts, failures, output } = await answerAll(
      batches,
      runner,
      streams.stdout,
      progress,
    );
    progress.finish();
    for (const [message, count] of failures) {
      streams.stderr.write(`probity-scan: a back end failed (${count}x): ${message}\n`);
    }
    if (output.closed()) {
      if (output.failure() !== undefined) {
        streams.stderr.write(`probity-scan: cannot write: ${output.failure()}\n`);
      }
      return 1;
    }
    if (isTable) stdout.write(printSummary(rows, errors, verdicts, table));
    for (const line of notices(unscanned, errors, rows)) {
      streams.stderr.write(`probity-scan: ${line}\n`);
    }
    if (errors > 0 || unscanned.unreadable.length > 0) return 1;
    return isFailure(verdicts, command.failOn) ? 3 : 0;
  } finally {
    await runner.close();
  }
}

/** As https://no-color.org asks. */
function isColored({ isTTY }: OutputStream, { NO_COLOR, TERM }: Environment): boolean {
  return isTTY === true && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
}

function isFailure({ flagged, blocked }: VerdictCounts, failOn: FailOn | undefined): boolean {
  return failOn !== undefined && blocked + (failOn === 'flagged' ? flagged : 0) > 0;
}

function progressFor(
  { progress }: CommandLine,
  { stdout, stderr }: CommandStreams,
  totalBytes: number | undefined,
): Progress {
  // Where both are a terminal the rows themselves show how far it is.
  if (!progress || !stderr.isTTY || stdout.isTTY) return createNoProgress();
  return createProgress({
    write: (text) => stderr.write(text),
    now: () => performance.now(),
    totalBytes,
  });
}

/** Standard input where rows are read and no file is named. */
function filesOf({ files, jsonl, extensions }: CommandLine): InputFile[] {
  const paths = jsonl && files.length === 0 ? ['-'] : files;
  return findInputFiles(paths, extensions ?? (jsonl ? new Set(['.jsonl']) : undefined));
}

function notices({ binary, unreadable }: Unscanned, errors: number, rows: number): string[] {
  const left = binary === 1 ? '1 binary file left out' : `${binary} binary files left out`;
  const lines = binary === 0 ? unreadable : [left, ...unreadable];
  return errors === 0 ? lines : [...lines, `${errors} of ${rows} rows not scanned`];
}

type Chunks = AsyncGenerator<Uint8Array | string, boolean>;

async function* counted(chunks: Chunks, read: (bytes: number) => void): Chunks {
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      if (done) return value;
      read(value.length);
      yield value;
    }
  } finally {
    await chunks.return(false);
  }
}

async function* lineBatches(
  files: readonly InputFile[],
  open: (file: InputFile) => Chunks,
): AsyncGenerator<Batch> {
  for (const file of files) {
    for await (const lines of readLines(open(file))) yield* toBatches(lines);
  }
}

async function* textBatches(
  files: readonly InputFile[],
  open: (file: InputFile) => Chunks,
  unscanned: Unscanned,
): AsyncGenerator<Batch> {
  for (const file of files) {
    const text = await readText(file, open(file), unscanned);
    if (text !== undefined) yield { id: file.path, text };
  }
}

/** What became of all rows; failures are counted by what a back end said. */
interface Totals {
  readonly rows: number;
  readonly errors: number;
  readonly verdicts: VerdictCounts;
  readonly failures: ReadonlyMap<string, number>;
}

/** Keeps as many batches under way as the runner takes, and answers each as soon as it is done. */
async function answerAll(
  batches: AsyncIterable<Batch>,
  runner: BatchRunner,
  stdout: OutputStream,
  progress: Progress,
): Promise<Totals & { readonly output: Output }> {
  const output = createOutput(stdout);
  const pending = new Set<Promise<void>>();
  const verdicts = { allowed: 0, flagged: 0, blocked: 0 };
  const totals = { rows: 0, errors: 0, verdicts, failures: new Map<string, number>() };
  const answer = async (batch: Batch) => {
    const { output: lines, rows, errors, verdicts: counts, failures } = await runner.run(batch);
    verdicts.allowed += counts.allowed;
    verdicts.flagged += counts.flagged;
    verdicts.blocked += counts.blocked;
    for (const [message, count] of failures) {
      totals.failures.set(message, (totals.failures.get(message) ?? 0) + count);
    }
    await output.write(lines);
    totals.rows += rows;
    totals.errors += errors;
    progress.add(rows, 0);
  };
  for await (const batch of batches) {
    const running = answer(batch).finally(() => pending.delete(running));
    // A failure is reported by the await below; until then it must not end the process by itself.
    running.catch(() => {});
    pending.add(running);
    if (pending.size >= runner.capacity) await Promise.race(pending);
    if (output.closed()) break;
  }
  await Promise.all(pending);
  return { ...totals, output };
}
