import { main } from '@probity/standalone/internal';
import type { Program, TestLifetime } from '@probity/test-support';
import { createOutputLines, PATIENCE_MS } from '@probity/test-support';

/** What tests use of a command, whether it runs in this process or in one of its own. */
export type RunningCommand = Pick<
  Program,
  'stdout' | 'stderr' | 'exited' | 'waitForLine' | 'terminate'
>;

/**
 * Runs `probity-server` with these arguments in this process, where it starts ten times as fast as
 * in one of its own. It cannot be killed; its environment is the given one alone.
 */
export function runInProcess(
  test: TestLifetime,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): RunningCommand {
  const lines = createOutputLines();
  let stderr = '';
  let stop: (signal: string) => void = () => undefined;
  const stopped = new Promise<string>((resolve) => {
    stop = resolve;
  });
  const name = `probity-server ${args[0]}`;
  const report = () => `stdout:\n${lines.text()}\nstderr:\n${stderr}`;
  const exited = main(args, {
    env,
    print: lines.write,
    writeLog: lines.write,
    tell: (text) => {
      stderr += text;
    },
    stopSignal: () => stopped,
  }).then((code) => {
    lines.end(`${name} ended with ${code}. ${report()}`);
    return code;
  });
  const terminate = () => {
    stop('SIGTERM');
    return exited;
  };
  test.after(async () => void (await terminate()));
  return {
    get stdout() {
      return lines.text();
    },
    get stderr() {
      return stderr;
    },
    exited,
    waitForLine: (predicate, timeoutMs = PATIENCE_MS) =>
      lines.waitFor(predicate, timeoutMs, () => `${name} ran on. ${report()}`),
    terminate,
  };
}
