// npm run assemble -w @probity/detection-lab -- --data DIR [--out DIR] [--vectors DIR]
// Holds the row files that come from outside against their checksums, says what is missing or different
// and where to get it, and with --out writes them as plain files, once all are right.
import { join, resolve } from 'node:path';
import { readOptions, runScript } from './lib/arguments.ts';
import { readDataFile } from './lib/data-file.ts';
import { CACHE_FOLDER } from './lib/paths.ts';
import type { Check } from './lib/row-files.ts';
import {
  checkPackages,
  checkRowFiles,
  copyPlain,
  readManifest,
  sourcesOf,
} from './lib/row-files.ts';

function main(args: readonly string[], folder: string): void {
  const options = readOptions(args, ['out', 'vectors']);
  const manifest = readManifest(readDataFile('sources'));
  const data = resolve(folder, options.data);
  const rows = checkRowFiles(manifest, data);
  print(`Row files in ${data}`, rows);
  const sources = sourcesOf(manifest, rows);
  if (sources.length > 0) {
    console.log('\nThey are made of these, in the form that README.md describes:');
    for (const { repository, commit, licence, taken } of sources) {
      console.log(`  github.com/${repository} at ${commit} (${licence}): ${taken}`);
    }
  }
  const vectors = options.vectors && resolve(folder, options.vectors);
  const packages = checkPackages(manifest, vectors ?? join(CACHE_FOLDER, 'vectors'));
  print('\nPackages for train-words and train-topics', packages);
  if (packages.some(({ state }) => state !== 'right')) {
    console.log('node scripts/vectors.mjs fetches them.');
  }
  const needed = vectors === undefined ? rows : [...rows, ...packages];
  if (needed.some(({ state }) => state !== 'right')) process.exitCode = 1;
  else if (options.out !== undefined) {
    copyPlain(manifest, data, resolve(folder, options.out));
    console.log(`\nWritten to ${resolve(folder, options.out)}`);
  }
}

function print(title: string, checks: readonly Check[]): void {
  const right = checks.filter(({ state }) => state === 'right').length;
  console.log(`${title}: ${right} of ${checks.length} right`);
  for (const { name, state, detail } of checks) {
    if (state !== 'right') console.log(`  ${state}: ${name}${detail ? ` (${detail})` : ''}`);
  }
}

// npm runs a workspace's script in the package's folder; paths are meant from where npm was called.
await runScript('assemble', () =>
  main(process.argv.slice(2), process.env.INIT_CWD ?? process.cwd()),
);
