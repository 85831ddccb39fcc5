import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Starting a process and loading what its tests import costs about a second: so many share one. */
const MOST_FILES = 20;
/** Fewer than these in a process would cost more for its start than running at once saves. */
const LEAST_FILES = 5;

/**
 * Writes the files that are handed to `node --test`, each of which is a process: shards of every
 * package's test files, one shard for the files of all small packages, and one entry for every file
 * that asks for a separate process by its name, `*.isolated.test.js`. Node runs them in the order of
 * their names: those that take longest first, so that no processor waits for a long one at the end.
 * @param {import('./test-files.mjs').TestPackage[]} packages
 * @param {string} folder An empty folder.
 * @param {number} atOnce How many run at once.
 * @param {(file: string) => number} timeOf How long a file takes.
 * @returns {string[]} Paths of the entry files.
 */
export function writeEntries(packages, folder, atOnce, timeOf) {
  const shared = joinSmall(
    packages.map(({ folder: name, files }) => ({ name, files: files.filter(isShared) })),
  ).flatMap(({ name, files }) =>
    toShards(files, atOnce, timeOf).map((shard) => ({ name, files: shard })),
  );
  const isolated = packages.flatMap(({ folder: name, files }) =>
    files.filter((file) => !isShared(file)).map((file) => ({ name, files: [file] })),
  );
  const entries = [...shared, ...isolated].map((entry) => ({
    ...entry,
    time: sum(entry.files.map(timeOf)),
  }));
  entries.sort((one, other) => other.time - one.time);
  return entries.map(({ name, files }, index) => {
    const position = String(index + 1).padStart(3, '0');
    const entry = join(folder, `${position}-${name.replaceAll('/', '-')}.test.mjs`);
    writeFileSync(entry, entrySource(files.map((file) => pathToFileURL(file).href)));
    return entry;
  });
}

/** @param {string} file */
function isShared(file) {
  return !file.endsWith('.isolated.test.js');
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Joins the packages of few files, as the examples are.
 * @param {{ name: string, files: string[] }[]} packages
 */
function joinSmall(packages) {
  const isSmall = (/** @type {{ files: string[] }} */ { files }) => files.length < LEAST_FILES;
  const small = packages.filter(isSmall);
  if (small.length < 2) return packages;
  const files = small.flatMap((each) => each.files);
  return [...packages.filter((each) => !isSmall(each)), { name: 'small', files }];
}

/**
 * Deals files out by the time they take, the longest first, each to the shard that has the least.
 * @param {string[]} files
 * @param {number} atOnce How many shards run at once; as many are made of enough files.
 * @param {(file: string) => number} timeOf
 * @returns {string[][]}
 */
function toShards(files, atOnce, timeOf) {
  const wanted = Math.min(atOnce, Math.ceil(files.length / LEAST_FILES));
  const count = Math.max(wanted, Math.ceil(files.length / MOST_FILES));
  const shards = Array.from({ length: count }, () => ({
    files: /** @type {string[]} */ ([]),
    time: 0,
  }));
  for (const file of [...files].sort((one, other) => timeOf(other) - timeOf(one))) {
    const open = shards.filter((shard) => shard.files.length < MOST_FILES);
    const least = open.reduce((best, shard) => (shard.time < best.time ? shard : best));
    least.files.push(file);
    least.time += timeOf(file);
  }
  return shards.map((shard) => shard.files.sort());
}

/** A run tries the same cases as the one before it; PROPERTY_SEED gives others ("random": new ones). */
const { PROPERTY_SEED = '20261121' } = process.env;
const seed = PROPERTY_SEED === 'random' ? {} : { seed: Number.parseInt(PROPERTY_SEED, 10) };

const combinations = new URL('../../test/support/dist/src/combinations.js', import.meta.url).href;

/**
 * A file that cannot be loaded fails as a test of its own and leaves the others to run. No test
 * begins before all files are loaded: Node cannot `require` an ES module, as the pipeline does at
 * the first use of a stage, while another file is just importing it. Uncaught errors are written
 * with their stack: Node reports their message alone.
 */
function entrySource(/** @type {string[]} */ urls) {
  return `import { before, test } from 'node:test';
import fc from ${JSON.stringify(import.meta.resolve('fast-check'))};
import { roundsOf } from ${JSON.stringify(combinations)};
for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection']) {
  process.on(event, (error) => console.error(error));
}
fc.configureGlobal({ ...${JSON.stringify(seed)}, numRuns: roundsOf(100) });
let begin;
const loaded = new Promise((resolve) => {
  begin = resolve;
});
before(() => loaded);
for (const url of ${JSON.stringify(urls, null, 2)}) {
  try {
    await import(url);
  } catch (error) {
    test(url + ' loads', () => {
      throw error;
    });
  }
}
begin();
`;
}
