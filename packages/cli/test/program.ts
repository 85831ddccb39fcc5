import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';

export const PROGRAM = fileURLToPath(new URL('../../bin/probity.js', import.meta.url));

/** A key of the form that the platform makes. */
export const KEY = 'pbk_4fTq0aZbYcXdWeVfUgThSiRjQkPlOmNn123456';

/** What a run of the program gave. */
interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the program is run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
}

/** A person's account on a machine: a folder for settings that no other test has. */
export interface Home {
  readonly path: string;
  readonly credentials: string;
  /** Runs `probity` to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Starts `probity`, for tests that stop it. */
  start(args: readonly string[], options?: RunOptions): RunningProgram;
}

/** A program that was started. */
interface RunningProgram {
  readonly pid: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly ended: Promise<Ran>;
  kill(signal: NodeJS.Signals): void;
  closeOutput(): void;
}

export function createHome(test: TestLifetime): Home {
  const { path } = temporaryFolder(test);
  const start: Home['start'] = (args, { env = {}, input, cwd = path } = {}) => {
    const foreign = Object.keys(process.env).filter((name) =>
      /^(PROBITY_|NO_COLOR|npm_)/.test(name),
    );
    const inherited = { ...process.env };
    for (const name of foreign) delete inherited[name];
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd,
      env: { ...inherited, XDG_CONFIG_HOME: path, HOME: path, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    test.after(() => void child.kill('SIGKILL'));
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // A program that reads no input may have ended before it is given.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const ended = new Promise<Ran>((resolve) => {
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
    return {
      pid: child.pid ?? 0,
      get stdout() {
        return stdout;
      },
      get stderr() {
        return stderr;
      },
      ended,
      kill: (signal) => void child.kill(signal),
      closeOutput: () => void child.stdout.destroy(),
    };
  };
  return {
    path,
    credentials: `${path}/probity/credentials.json`,
    start,
    run: (args, options) => start(args, options).ended,
  };
}

/** Runs the program with a terminal as its output; null where there is none to be had. */
export async function onTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  if (spawnSync('script', ['--version']).error) return null;
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, NO_COLOR: '', TERM: 'xterm', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return output.replaceAll('\r\n', '\n');
}
