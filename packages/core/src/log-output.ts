/** Takes log lines. */
export interface LogOutput {
  /** Takes a line with its line end. */
  write(line: string): void;
  /** Writes at once what has been taken. */
  flush(): void;
}

/** How long a line waits at most for others. */
const BATCH_MS = 20;

/**
 * Standard output, with one system call for all lines of {@link BATCH_MS}; a call for each costs a
 * busy server more than all else about its log. A process that ends by itself or by an error writes
 * what it has; one that is killed can lose the lines of that time.
 */
export function createStandardOutput(): LogOutput {
  const output = createBatchedOutput(
    (text) => process.stdout.write(text),
    (callback) => setTimeout(callback, BATCH_MS).unref(),
  );
  process.once('exit', output.flush);
  return output;
}

/** Hands lines to `write` together, when `schedule` calls back. */
export function createBatchedOutput(
  write: (text: string) => unknown,
  schedule: (callback: () => void) => unknown,
): LogOutput {
  let waiting = '';
  const flush = () => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    write(text);
  };
  return {
    write(line) {
      if (waiting === '') schedule(flush);
      waiting += line;
    },
    flush,
  };
}
