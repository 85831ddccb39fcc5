import type { Output } from './terminal/output.ts';
import { createOutput } from './terminal/output.ts';

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The process that a command runs in. */
export interface CommandContext {
  readonly env: Environment;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  /** Standard output: results. */
  readonly out: Output;
  /** Standard error: messages to the person at the terminal. */
  readonly err: Output;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** The context of this process. */
export function processContext(): CommandContext {
  const { env } = process;
  return {
    env,
    get stdin() {
      return process.stdin;
    },
    out: createOutput(process.stdout, env),
    err: createOutput(process.stderr, env),
    signal: stopSignal(),
  };
}

/** Is aborted by the first signal; the second one ends the process at once. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort(new DOMException(name, 'AbortError'));
    });
  }
  return controller.signal;
}
