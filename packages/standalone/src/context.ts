import type { Environment } from './command-line.ts';

/** The process that a command runs in: its environment, output and stop signal. */
export interface CommandContext {
  readonly env: Environment;
  /** Writes to standard output, for results. */
  readonly print: (text: string) => void;
  /** Writes to standard error, for messages to the person at the terminal. */
  readonly tell: (text: string) => void;
  /** Receives the lines of a server's log; standard output, in batches, by default. */
  readonly writeLog?: (line: string) => void;
  /** Resolves with the name of the first signal to stop, SIGTERM or SIGINT. */
  readonly stopSignal: () => Promise<string>;
}

/** The context of this process. */
export function processContext(): CommandContext {
  return {
    env: process.env,
    print: (text) => void process.stdout.write(text),
    tell: (text) => void process.stderr.write(text),
    stopSignal,
  };
}

/** Listens to signals from the call on; the second one ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        resolve(signal);
        process.once(signal, () => process.exit(130));
      });
    }
  });
}
