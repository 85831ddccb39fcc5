/** Takes log lines. */
export interface LogOutput {
  /** Takes a line with its line end. */
  write(line: string): void;
  /** Writes at once what has been taken. */
  flush(): void;
}

/**
 * Standard output, with one system call for all lines of a turn of the event loop. A process that
 * ends by itself or by an error writes what it has; one that is killed can lose its last turn's lines.
 */
export function createStandardOutput(): LogOutput {
  const output = createTurnOutput((text) => process.stdout.write(text), setImmediate);
  process.once('exit', output.flush);
  return output;
}

/** Hands the lines of a turn to `write` together, when `schedule` calls back. */
export function createTurnOutput(
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
