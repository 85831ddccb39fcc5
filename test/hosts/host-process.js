import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Where the sets are installed. */
export const folder = process.env.HOSTS_FOLDER ?? '';

/** How long a host may take to start, and to end after SIGTERM. */
const START_MS = 60_000;
const END_MS = 10_000;

/**
 * @typedef {object} Host
 * @property {string} origin
 * @property {() => string} errors What it has written on standard error.
 * @property {() => Promise<number | string>} stop Asks it to end; its exit code, or what failed.
 */

/**
 * Starts a host's program, which prints its port.
 * @param {{ set: string, args: readonly string[], env?: Record<string, string> }} program
 * @returns {Promise<Host>}
 */
export async function startHost({ set, args, env = {} }) {
  const cwd = join(folder, set);
  const data = mkdtempSync(join(folder, 'data-'));
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, DATABASE: `sqlite:${join(data, 'app.db')}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const port = await within(START_MS, `${args} does not start`, child, [
    readPort(child.stdout),
    ended.then((code) => Promise.reject(new Error(`${args} ended with ${code}:\n${errors}`))),
  ]);
  return {
    origin: `http://127.0.0.1:${port}`,
    errors: () => errors,
    stop: async () => {
      child.kill('SIGTERM');
      const code = await within(END_MS, 'the process does not end', child, [ended]);
      rmSync(data, { recursive: true, force: true });
      return code;
    },
  };
}

/** @param {import('node:stream').Readable} output @returns {Promise<number>} */
async function readPort(output) {
  for await (const line of createInterface({ input: output })) {
    const port = /"port":(\d+)|Local:.*:(\d+)|http:.*:(\d+)$/.exec(line);
    if (!port) continue;
    output.resume();
    return Number(port.slice(1).find(Boolean));
  }
  return new Promise(() => {});
}

/**
 * The first of some results; where none comes in time, the process is killed.
 * @template Result
 * @param {number} ms @param {string} message
 * @param {import('node:child_process').ChildProcess} child
 * @param {readonly Promise<Result>[]} results
 * @returns {Promise<Result>}
 */
async function within(ms, message, child, results) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(message));
    }, ms);
  });
  try {
    return /** @type {Result} */ (await Promise.race([...results, late]));
  } finally {
    clearTimeout(timer);
  }
}
