import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once as nextEvent } from 'node:events';
import type { Readable } from 'node:stream';
import { orphanGuard } from './orphan-guard.ts';
import type { OutputLine } from './output-lines.ts';
import { createOutputLines } from './output-lines.ts';
import type { TestLifetime } from './temporary-folder.ts';
import { PATIENCE_MS } from './until.ts';

/** How to start a program. */
export interface ProgramOptions {
  /**
   * Variables added to the environment of the tests; `undefined` removes one. Variables that would
   * change the behavior of a program under test (PROBITY_*, those of the test runner) are removed
   * beforehand.
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** The program is killed after this test. */
  readonly test?: TestLifetime;
}

/** A running program. */
export interface Program {
  readonly pid: number;
  /** All standard output so far. */
  readonly stdout: string;
  /** All standard error so far. */
  readonly stderr: string;
  /** Resolves when the program has ended and its output is read: exit code, null for a signal. */
  readonly exited: Promise<number | null>;
  /**
   * The first line of standard output, past or to come, that is a JSON object and satisfies
   * `predicate`.
   *
   * @throws Error with the output so far when the program ends, or after `timeoutMs` (default
   * `PATIENCE_MS`).
   */
  waitForLine(predicate: (line: OutputLine) => boolean, timeoutMs?: number): Promise<OutputLine>;
  /** Sends a signal to the program alone. */
  signal(name: NodeJS.Signals): void;
  /** Kills the program and all processes it started; resolves when it has ended. Idempotent. */
  kill9(): Promise<void>;
  /**
   * Sends SIGTERM and returns the exit code, null when a signal ended the program. Idempotent.
   *
   * @throws Error with the output when it still runs after `timeoutMs` (default `PATIENCE_MS`); it
   * is killed then.
   */
  terminate(timeoutMs?: number): Promise<number | null>;
}

/**
 * Starts a program in a separate process group and captures its output. The program never
 * outlives this process.
 *
 * @throws Error when the program cannot be started.
 */
export async function spawnProgram(
  command: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<Program> {
  const child = spawn(command, args, {
    env: programEnv(options.env),
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  await nextEvent(child, 'spawn');
  const program = createProgram(child, command);
  options.test?.after(program.kill9);
  return program;
}

function programEnv(overlay: ProgramOptions['env']): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean =>
    name.startsWith('PROBITY_') || name === 'NODE_TEST_CONTEXT' || name.startsWith('npm_');
  const inherited = Object.entries(process.env).filter(([name]) => !isForeign(name));
  return { ...Object.fromEntries(inherited), ...overlay };
}

function createProgram(
  child: ChildProcessByStdio<null, Readable, Readable>,
  command: string,
): Program {
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command} has no process id`);
  orphanGuard().add(pid);
  const lines = createOutputLines();
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', lines.write);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const report = (): string => `stdout:\n${lines.text()}\nstderr:\n${stderr}`;
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      orphanGuard().remove(pid);
      lines.end(`${command} ended with ${code}. ${report()}`);
      resolve(code);
    });
  });
  const kill9 = async (): Promise<void> => {
    killGroup(pid);
    await exited;
  };
  return {
    pid,
    get stdout() {
      return lines.text();
    },
    get stderr() {
      return stderr;
    },
    exited,
    waitForLine: (predicate, timeoutMs = PATIENCE_MS) =>
      lines.waitFor(predicate, timeoutMs, () => `${command} ran on. ${report()}`),
    signal: (name) => void child.kill(name),
    kill9,
    terminate: async (timeoutMs = PATIENCE_MS) => {
      child.kill('SIGTERM');
      const code = await Promise.race([exited, later(timeoutMs)]);
      if (code !== 'late') return code;
      await kill9();
      throw new Error(`${command} ran on for ${timeoutMs} ms after SIGTERM. ${report()}`);
    },
  };
}

/** A group without processes is not an error: there is nothing left to kill. */
function killGroup(processGroup: number): void {
  try {
    process.kill(-processGroup, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function later(timeoutMs: number): Promise<'late'> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('late'), timeoutMs).unref();
  });
}
