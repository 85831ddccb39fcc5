import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root, workspacesIn } from './repository.mjs';

/**
 * @typedef {object} TestPackage
 * @property {string} folder Path relative to the repository.
 * @property {string[]} files Absolute paths of its compiled test files.
 */

/**
 * The compiled test files of all workspaces. Compiled files whose source is gone are left out:
 * the compiler does not delete them.
 * @returns {TestPackage[]}
 */
export function findTests() {
  return workspacesIn(['packages', 'tooling', 'test', 'examples'])
    .map(({ folder }) => ({ folder, files: compiledTests(join(root, folder)) }))
    .filter(({ files }) => files.length > 0);
}

/** @param {string} folder @returns {string[]} */
function compiledTests(folder) {
  const sources = testFolder(folder);
  const compiled = join(folder, 'dist', relative(folder, sources));
  if (!existsSync(compiled)) return [];
  return readdirSync(compiled, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .filter((name) => existsSync(join(sources, name.replace(/\.js$/, '.ts'))))
    .sort()
    .map((name) => join(compiled, name));
}

/** Where a workspace has its tests: in `test`, or at its top where it has nothing else. */
function testFolder(/** @type {string} */ folder) {
  const own = join(folder, 'test');
  return existsSync(own) ? own : folder;
}

/**
 * Narrows the tests to the named ones. A name is a package (`core`, `packages/core`) or a test
 * file, as source or compiled, relative to the current folder or to the repository.
 * @param {TestPackage[]} packages
 * @param {readonly string[]} names
 * @param {string} [from] Folder that names are relative to.
 * @returns {TestPackage[]}
 * @throws {Error} When a name matches nothing.
 */
export function selectTests(packages, names, from = process.cwd()) {
  if (names.length === 0) return packages;
  const wanted = names.flatMap((name) => {
    const files = packages.flatMap((candidate) => filesNamed(candidate, name, from));
    if (files.length === 0) throw new Error(`No package and no test file is named ${name}`);
    return files;
  });
  return packages
    .map(({ folder, files }) => ({ folder, files: files.filter((file) => wanted.includes(file)) }))
    .filter(({ files }) => files.length > 0);
}

/** @param {TestPackage} candidate @param {string} name @param {string} from @returns {string[]} */
function filesNamed({ folder, files }, name, from) {
  const trimmed = name.replace(/\/$/, '');
  if ([folder, folder.split('/')[1]].includes(trimmed)) return files;
  const paths = [resolve(from, name), resolve(root, name)].map(compiledPath);
  return files.filter((file) => paths.some((path) => file === path || file.startsWith(`${path}/`)));
}

/** Where a source file, or a folder of them, is compiled to. @param {string} path */
function compiledPath(path) {
  const [parent = '', name = '', ...rest] = relative(root, path).split('/');
  const folder = join(root, parent, name);
  const sources = relative(folder, testFolder(folder));
  if (rest.length === 0 || (sources !== '' && rest[0] !== sources)) return path;
  return join(folder, 'dist', ...rest).replace(/\.ts$/, '.js');
}
