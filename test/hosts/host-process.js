import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Where the sets are installed. */
export const folder = process.env.HOSTS_FOLDER ?? '';

/** How long a host may take to start, and to end after SIGTERM. */
const START_MS = 30_000;
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
  const port = await Promise.race([
    readPort(child.stdout),
    ended.then((code) => Promise.reject(new Error(`${args} ended with ${code}:\n${errors}`))),
    late(START_MS, `${args} does not start`, () => child.kill('SIGKILL')),
  ]);
  return {
    origin: `http://127.0.0.1:${port}`,
    errors: () => errors,
    stop: async () => {
      child.kill('SIGTERM');
      const code = await Promise.race([
        ended,
        late(END_MS, 'the process does not end', () => child.kill('SIGKILL')),
      ]);
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

/** @param {number} ms @param {string} message @param {() => unknown} end @returns {Promise<never>} */
function late(ms, message, end) {
  return new Promise((_resolve, reject) => {
    setTimeout(() => {
      end();
      reject(new Error(message));
    }, ms).unref();
  });
}
