import type { Environment } from '../config/substitution.ts';

/** What the program gets from outside. */
export interface ProgramContext {
  readonly env: Environment;
  out(text: string): void;
  err(text: string): void;
}

/** The process as the context of a program. A reader of its output that goes away ends nothing else. */
export function processContext(): ProgramContext {
  const err = writerTo(process.stderr, () => undefined);
  const out = writerTo(process.stdout, (reason) =>
    err(`probity-gateway: standard output is written no more: ${reason}\n`),
  );
  return { env: process.env, out, err };
}

/** The other end of a pipe, or the terminal, is gone for good; a full disk is not. */
const GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ECONNRESET']);

/** Writes as long as there is a reader. Without a listener Node ends the process at the first error. */
function writerTo(stream: NodeJS.WriteStream, onGone: (reason: string) => void) {
  let isGone = false;
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (isGone || !GONE.has(code)) return;
    isGone = true;
    onGone(message);
  });
  return (text: string): void => {
    if (!isGone) stream.write(text);
  };
}

/** A command line that cannot be run: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
