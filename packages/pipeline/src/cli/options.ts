import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Environment } from '../settings/backend-settings.ts';
import { parsePipelineSettings } from '../settings/pipeline-settings.ts';
import type { RowScannerConfig } from './row-scanner.ts';

/** The command line, or a file that it names, was refused. One line for the user. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/** A command line, read and checked. */
export interface CommandLine {
  readonly jsonl: boolean;
  /** Files and folders; `-` is standard input. */
  readonly files: readonly string[];
  /** Endings of the files of folders, lower case and with a dot; undefined for the default. */
  readonly extensions: ReadonlySet<string> | undefined;
  readonly threads: number;
  readonly progress: boolean;
  /** Undefined for a table on a terminal and JSON Lines elsewhere. */
  readonly format: OutputFormat | undefined;
  /** From which verdict on the exit code says so. */
  readonly failOn: FailOn | undefined;
  /** Findings below it are not printed. */
  /** Undefined where it is not given. */
  readonly minScore: number | undefined;
  readonly config: RowScannerConfig;
}

/** The command line `models check`: the models of the configuration read ordinary sentences. */
export interface ModelsCheck {
  readonly checked: RowScannerConfig;
}

/** What is printed. */
type OutputFormat = 'table' | 'jsonl';

/** A verdict that may make the exit code 3. */
export type FailOn = 'flagged' | 'blocked';

const FLAGS = {
  jsonl: { type: 'boolean' },
  knowledge: { type: 'string' },
  protected: { type: 'string' },
  stages: { type: 'string' },
  config: { type: 'string' },
  ext: { type: 'string' },
  threads: { type: 'string' },
  format: { type: 'string' },
  'fail-on': { type: 'string' },
  'min-score': { type: 'string' },
  'no-progress': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

const MAX_THREADS = 64;

/**
 * Reads a command line and the files that its options name.
 *
 * @param env for the variables that a configuration names
 * @returns `help` or `version` for these options
 * @throws CommandLineError for what cannot be understood or read
 * @throws PipelineConfigError for back ends that are not as they should be
 */
export function readCommandLine(
  args: readonly string[],
  env: Environment,
): CommandLine | ModelsCheck | 'help' | 'version' {
  const { values, positionals: files } = parse(args);
  if (values.help) return 'help';
  if (values.version) return 'version';
  if (files.join(' ') === 'models check') {
    return { checked: values.config === undefined ? {} : readSettings(values.config, env) };
  }
  const jsonl = values.jsonl ?? false;
  if (!jsonl && files.length === 0) {
    throw new CommandLineError(
      'give the files or folders to scan (- is standard input), or --jsonl for rows of JSON Lines; ' +
        "for a text: echo 'a text' | probity-scan -",
    );
  }
  const { knowledge, protected: texts, stages, config } = values;
  return {
    jsonl,
    files,
    extensions: values.ext === undefined ? undefined : toExtensions(values.ext),
    threads: toThreads(values.threads ?? '1'),
    progress: !values['no-progress'],
    format: toOneOf('--format', values.format, ['table', 'jsonl']),
    failOn: toOneOf('--fail-on', values['fail-on'], ['flagged', 'blocked']),
    minScore: toMinScore(values['min-score']),
    config: {
      ...(stages === undefined ? {} : { scores: stages.split(',').map((name) => name.trim()) }),
      ...(config === undefined ? {} : readSettings(config, env)),
      ...(knowledge === undefined ? {} : { knowledge: readTexts('--knowledge', knowledge) }),
      ...(texts === undefined ? {} : { protected: readTexts('--protected', texts) }),
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true });
  } catch (error) {
    // Node's message goes on to explain how to escape the argument.
    const [first = 'bad command line'] = (error as Error).message.split(/\. |\n/);
    throw new CommandLineError(`${first.replace(/\.$/, '')}; see --help`);
  }
}

function toThreads(value: string): number {
  const threads = Number(value);
  if (/^\d+$/.test(value) && threads >= 1 && threads <= MAX_THREADS) return threads;
  throw new CommandLineError(`--threads: expected a whole number from 1 to ${MAX_THREADS}`);
}

function toOneOf<Name extends string>(
  flag: string,
  value: string | undefined,
  names: readonly Name[],
): Name | undefined {
  const name = names.find((each) => each === value);
  if (name !== undefined || value === undefined) return name;
  throw new CommandLineError(`${flag}: ${JSON.stringify(value)} is not ${names.join(' or ')}`);
}

function toExtensions(value: string): ReadonlySet<string> {
  const names = value.split(',').map((name) => name.trim().toLowerCase().replace(/^\./, ''));
  if (names.every((name) => /^[^./\\*?]+$/.test(name)))
    return new Set(names.map((name) => `.${name}`));
  throw new CommandLineError(
    `--ext: expected endings such as md,txt; got ${JSON.stringify(value)}`,
  );
}

function toScore(flag: string, value: string): number {
  const score = Number(value);
  if (value.trim() !== '' && score >= 0 && score <= 1) return score;
  throw new CommandLineError(`${flag}: expected a number from 0 to 1`);
}

function toMinScore(value: string | undefined): number | undefined {
  return value === undefined ? undefined : toScore('--min-score', value);
}

function readTexts(flag: string, path: string): string[] {
  const value = readJson(flag, path);
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value;
  throw new CommandLineError(`${flag}: ${path} is not a JSON array of strings`);
}

/** The pipeline checks everything below the outermost braces. */
function readSettings(
  path: string,
  env: Environment,
): Pick<RowScannerConfig, 'pipeline' | 'backends' | 'policies'> {
  const value = readJson('--config', path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { policies, ...settings } = value as Readonly<Record<string, unknown>>;
    const place = { env, folder: dirname(resolve(path)) };
    return { ...parsePipelineSettings(settings, place), policies };
  }
  throw new CommandLineError(`--config: ${path} is not a JSON object`);
}

function readJson(flag: string, path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandLineError(`${flag}: cannot read ${path}: ${reasonOf(error)}`);
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new CommandLineError(`${flag}: ${path} is not valid JSON: ${complaintOf(error)}`);
  }
}

/** What the parser says, but for the part of the file that it repeats, which may be secret. */
function complaintOf(error: unknown): string {
  const { message } = error as Error;
  return message.replace(/, (?:\.\.\.)?".*$/s, '').replace(/\s+/g, ' ');
}

/** What the system says in a word or two, without the path that the caller has named already. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'no such file',
    EISDIR: 'it is a directory',
    EACCES: 'permission denied',
    ENOSPC: 'no space left',
  };
  return reasons[code ?? ''] ?? message;
}
