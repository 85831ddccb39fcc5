import { parseArgs } from 'node:util';
import type { Split } from './rows.ts';
import { RowError } from './rows.ts';

/** The command line of a training script was refused. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads `--data DIR` and further options with a value from a command line.
 *
 * @param names further options that take a value
 * @throws UsageError for an unknown option, a missing value, or without `--data`
 */
export function readOptions<Name extends string>(
  args: readonly string[],
  names: readonly Name[] = [],
): { readonly data: string } & { readonly [Key in Name]?: string } {
  const options = Object.fromEntries(
    ['data', ...names].map((name) => [name, { type: 'string' as const }]),
  );
  const values = parse(args, options);
  if (typeof values.data !== 'string') {
    throw new UsageError('--data DIR is needed: the folder that has the rows, one folder per task');
  }
  return values as { readonly data: string } & { readonly [Key in Name]?: string };
}

function parse(
  args: readonly string[],
  options: Record<string, { type: 'string' }>,
): Record<string, unknown> {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

/**
 * Reads the value of `--split`.
 *
 * @throws UsageError for another name
 */
export function toSplit(value: string): Split {
  if (value === 'dev' || value === 'train') return value;
  throw new UsageError('--split: expected dev or train');
}

/** Runs a script; a refused command line or row is one line on standard error, and exit code 2. */
export async function runScript(name: string, main: () => void | Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof RowError)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 2;
  }
}
