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
  return workspacesIn(['packages', 'tooling', 'examples'])
    .map(({ folder }) => ({ folder, files: compiledTests(join(root, folder)) }))
    .filter(({ files }) => files.length > 0);
}

/** @param {string} folder @returns {string[]} */
function compiledTests(folder) {
  const compiled = join(folder, 'dist', 'test');
  if (!existsSync(compiled)) return [];
  return readdirSync(compiled, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .filter((name) => existsSync(join(folder, 'test', name.replace(/\.js$/, '.ts'))))
    .sort()
    .map((name) => join(compiled, name));
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
  const [parent, name, first, ...rest] = relative(root, path).split('/');
  if (first !== 'test') return path;
  return join(root, parent ?? '', name ?? '', 'dist', 'test', ...rest).replace(/\.ts$/, '.js');
}
