import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './repository.mjs';

/** How long each test file took when it last ran: milliseconds by its path in the repository. */
const path = join(root, '.cache', 'test-times.json');

/** The assumed time of a file that has not run yet. */
const UNKNOWN_MS = 1_000;

/** @returns {(file: string) => number} Milliseconds of a compiled test file. */
export function readTestTimes() {
  const times = readTimes();
  return (file) => times[sourceOf(file)] ?? UNKNOWN_MS;
}

/** Adds the times of a run to those of earlier ones. @param {Record<string, number>} times */
export function writeTestTimes(times) {
  mkdirSync(dirname(path), { recursive: true });
  const all = { ...readTimes(), ...times };
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
}

/** @returns {Record<string, number>} */
function readTimes() {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {}; // No run has ended yet, or one was killed while it wrote.
  }
}

/** The path of a test file's source in the repository. @param {string} file Source or compiled. */
export function sourceOf(file) {
  return relative(root, file).replace('/dist/', '/').replace(/\.js$/, '.ts');
}
