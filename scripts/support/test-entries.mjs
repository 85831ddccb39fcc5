import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Files that share a process. Starting one and loading what its tests import costs about a second;
 * fewer files leave less to wait for behind the slowest ones.
 */
const FILES_PER_ENTRY = Number(process.env.FPE ?? 20);

/**
 * Writes the files that are handed to `node --test`: each imports some of a package's test files
 * into one process (starting a process per file costs most of a run's time), and one is written
 * per file that asks for a process of its own by its name, `*.isolated.test.js`.
 * @param {import('./test-files.mjs').TestPackage[]} packages
 * @param {string} folder An empty folder.
 * @returns {string[]} Paths of the entry files, those of one file last.
 */
export function writeEntries(packages, folder) {
  const shared = [];
  const isolated = [];
  for (const { folder: name, files } of packages) {
    const isIsolated = (/** @type {string} */ file) => file.endsWith('.isolated.test.js');
    const shards = toShards(files.filter((file) => !isIsolated(file)));
    for (const [index, shard] of shards.entries()) {
      shared.push(writeEntry(folder, `${name}-${index + 1}`, shard));
    }
    for (const file of files.filter(isIsolated)) {
      isolated.push(writeEntry(folder, join(name, basename(file, '.isolated.test.js')), [file]));
    }
  }
  return [...shared, ...isolated];
}

/**
 * Deals the files out in turn: files next to each other test the same folder and cost alike, so
 * that slow ones do not end up in one process.
 * @param {string[]} files Sorted by name.
 * @returns {string[][]}
 */
function toShards(files) {
  const count = Math.ceil(files.length / FILES_PER_ENTRY);
  const shards = Array.from({ length: count }, () => /** @type {string[]} */ ([]));
  for (const [index, file] of files.entries()) shards[index % count]?.push(file);
  return shards;
}

/** @param {string} folder @param {string} name @param {string[]} files */
function writeEntry(folder, name, files) {
  const entry = join(folder, `${name}.test.mjs`);
  mkdirSync(join(entry, '..'), { recursive: true });
  writeFileSync(entry, entrySource(files.map((file) => pathToFileURL(file).href)));
  return entry;
}

/** A run tries the same cases as the one before it; PROPERTY_SEED gives others ("random": new ones). */
const { PROPERTY_SEED = '20261121' } = process.env;
const properties = PROPERTY_SEED === 'random' ? {} : { seed: Number.parseInt(PROPERTY_SEED, 10) };

/**
 * A file that cannot be loaded fails as a test of its own and leaves the others to run. No test
 * begins before all files are loaded: Node cannot `require` an ES module, as the pipeline does at
 * the first use of a stage, while another file is just importing it.
 */
function entrySource(/** @type {string[]} */ urls) {
  return `import { before, test } from 'node:test';
import fc from ${JSON.stringify(import.meta.resolve('fast-check'))};
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
