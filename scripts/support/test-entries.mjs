import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Starting a process and loading what its tests import costs about a second: so many share one. */
const MOST_FILES = 20;
/** Fewer than these in a process would cost more for its start than running at once saves. */
const LEAST_FILES = 5;

/**
 * Writes the files that are handed to `node --test`, each of which is a process: shards of every
 * package's test files, and one for every file that asks for a process of its own by its name,
 * `*.isolated.test.js`. Node runs them in the order of their names: first one shard of each
 * package, then the second of each, so that what computes and what waits runs at once.
 * @param {import('./test-files.mjs').TestPackage[]} packages
 * @param {string} folder An empty folder.
 * @param {number} atOnce How many run at once.
 * @returns {string[]} Paths of the entry files, those of one file last.
 */
export function writeEntries(packages, folder, atOnce) {
  const shared = packages.flatMap(({ folder: name, files }) =>
    toShards(files.filter(isShared), atOnce).map((shard, turn) => ({ name, files: shard, turn })),
  );
  const isolated = packages.flatMap(({ folder: name, files }) =>
    files.filter((file) => !isShared(file)).map((file) => ({ name, files: [file] })),
  );
  const ordered = [...shared.sort((one, other) => one.turn - other.turn), ...isolated];
  return ordered.map(({ name, files }, index) => {
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

/**
 * Deals files out in turn: files next to each other test the same part and cost alike, so that
 * slow ones are in different shards.
 * @param {string[]} files Sorted by name.
 * @param {number} atOnce How many shards run at once; as many are made of enough files.
 * @returns {string[][]}
 */
function toShards(files, atOnce) {
  const wanted = Math.min(atOnce, Math.ceil(files.length / LEAST_FILES));
  const count = Math.max(wanted, Math.ceil(files.length / MOST_FILES));
  const shards = Array.from({ length: count }, () => /** @type {string[]} */ ([]));
  for (const [index, file] of files.entries()) shards[index % count]?.push(file);
  return shards;
}

/** A run tries the same cases as the one before it; PROPERTY_SEED gives others ("random": new ones). */
const { PROPERTY_SEED = '20261121' } = process.env;
const properties = PROPERTY_SEED === 'random' ? {} : { seed: Number.parseInt(PROPERTY_SEED, 10) };

/**
 * A file that cannot be loaded fails as a test of its own and leaves the others to run. No test
 * begins before all files are loaded: Node cannot `require` an ES module, as the pipeline does at
 * the first use of a stage, while another file is just importing it. Uncaught errors are written
 * with their stack: Node reports their message alone.
 */
function entrySource(/** @type {string[]} */ urls) {
  return `import { before, test } from 'node:test';
import fc from ${JSON.stringify(import.meta.resolve('fast-check'))};
for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection']) {
  process.on(event, (error) => console.error(error));
}
fc.configureGlobal(${JSON.stringify(properties)});
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
