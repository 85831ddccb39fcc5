import type { Environment } from '../config/substitution.ts';

/** What the program gets from outside. */
export interface ProgramContext {
  readonly env: Environment;
  out(text: string): void;
  err(text: string): void;
}

/** The process as the context of a program. */
export function processContext(): ProgramContext {
  return {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  };
}

/** A command line that cannot be run: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
