/** One line of JSON Lines output: an object. */
export type OutputLine = Readonly<Record<string, unknown>>;

interface Waiter {
  readonly predicate: (line: OutputLine) => boolean;
  readonly resolve: (line: OutputLine) => void;
  readonly reject: (error: Error) => void;
}

/** Collects a program's output and passes its JSON lines to waiting callers. */
export interface OutputLines {
  write(text: string): void;
  /** Rejects all waiting callers with `reason`. */
  end(reason: string): void;
  text(): string;
  /** Rejects with `report` when no line, past or to come, satisfies `predicate` in time. */
  waitFor(
    predicate: (line: OutputLine) => boolean,
    timeoutMs: number,
    report: () => string,
  ): Promise<OutputLine>;
}

/** Creates an empty collection. Lines that are not a JSON object are kept as text only. */
export function createOutputLines(): OutputLines {
  const lines: OutputLine[] = [];
  const waiters = new Set<Waiter>();
  let text = '';
  let parsedTo = 0;
  let ended: string | undefined;

  const offer = (line: OutputLine): void => {
    lines.push(line);
    for (const waiter of waiters) if (waiter.predicate(line)) waiter.resolve(line);
  };
  return {
    text: () => text,
    write(chunk) {
      text += chunk;
      for (let end = text.indexOf('\n', parsedTo); end >= 0; end = text.indexOf('\n', parsedTo)) {
        const line = parseLine(text.slice(parsedTo, end));
        parsedTo = end + 1;
        if (line) offer(line);
      }
    },
    end(reason) {
      ended = reason;
      for (const waiter of waiters) waiter.reject(new Error(reason));
    },
    waitFor(predicate, timeoutMs, report) {
      const seen = lines.find(predicate);
      if (seen) return Promise.resolve(seen);
      if (ended !== undefined) return Promise.reject(new Error(ended));
      return waitIn(waiters, predicate, timeoutMs, report);
    },
  };
}

function waitIn(
  waiters: Set<Waiter>,
  predicate: Waiter['predicate'],
  timeoutMs: number,
  report: () => string,
): Promise<OutputLine> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      waiters.delete(waiter);
      act();
    };
    const waiter: Waiter = {
      predicate,
      resolve: (line) => settle(() => resolve(line)),
      reject: (error) => settle(() => reject(error)),
    };
    const timer = setTimeout(
      () => waiter.reject(new Error(`No such line within ${timeoutMs} ms: ${report()}`)),
      timeoutMs,
    );
    waiters.add(waiter);
  });
}

function parseLine(text: string): OutputLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is OutputLine {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
