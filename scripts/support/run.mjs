import { spawn } from 'node:child_process';
import { root } from './repository.mjs';

/**
 * Runs a program in the foreground and gives its exit code (128 and more for a signal, as shells
 * do).
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 128));
  });
}

/**
 * Runs a program and gives its output, standard error included.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options] With `timeout`, how long it may take in ms.
 * @returns {Promise<{ code: number, output: string }>}
 * @throws {Error} With what it printed last, where it was ended after `timeout`.
 */
export function capture(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      // Node sends a signal of its own only where there is a time limit.
      if (!child.killed) return resolve({ code: code ?? 128, output });
      const line = [command, ...args].join(' ');
      const said = output.slice(-5_000);
      reject(new Error(`did not end within ${options.timeout} ms: ${line}\n${said}`));
    });
  });
}
