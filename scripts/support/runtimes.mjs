import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackages } from './fetch-packages.mjs';

const SPECS = ['deno@2.9.6', 'bun@1.4.5', 'esbuild@0.28.2'];

/** Where the packages of each platform have their programs, below a folder of their scope. */
const PROGRAMS = /** @type {const} */ ([
  { name: 'DENO', scope: '@deno', path: 'deno' },
  { name: 'BUN', scope: '@oven', path: 'bin/bun' },
]);

/**
 * Fetches Deno, Bun and a bundler for the tests of the client in other runtimes, 205 MB on disk.
 * They are no dependencies: an installation would wait for them.
 * @param {readonly string[]} files The tests that will run.
 * @returns {Promise<Record<string, string>>} For the environment of the tests: the paths of the programs
 *   and the folder of the bundler; empty where no test wants them, or npm cannot fetch them.
 */
export async function provideRuntimes(files) {
  if (!files.some((file) => file.includes('/client-runtimes.test'))) return {};
  const folder = await fetchPackages(`runtimes-${SPECS.join('-').replaceAll('@', '-')}`, SPECS);
  if (folder === undefined) {
    process.stderr.write(`Tests in other runtimes are left out: npm could not fetch ${SPECS}.\n`);
    return {};
  }
  const modules = join(folder, 'node_modules');
  const programs = PROGRAMS.flatMap(({ name, scope, path }) => {
    const paths = readdirSync(join(modules, scope)).map((each) => join(modules, scope, each, path));
    const found = paths.find((each) => existsSync(each));
    return found ? [[`TEST_${name}`, found]] : [];
  });
  return { ...Object.fromEntries(programs), TEST_BUNDLER_FOLDER: folder };
}
