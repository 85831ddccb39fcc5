import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, without a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * @typedef {object} Workspace
 * @property {string} folder Path relative to the repository, e.g. `packages/core`.
 * @property {string} name Last part of the folder, e.g. `core`.
 * @property {Record<string, any>} manifest Its package.json.
 */

/**
 * The npm workspaces below the given folders, in the order of their names.
 * @param {readonly string[]} parents
 * @returns {Workspace[]}
 */
export function workspacesIn(parents) {
  return parents.flatMap((parent) =>
    folderNames(parent)
      .filter((name) => existsSync(join(root, parent, name, 'package.json')))
      .map((name) => ({
        folder: `${parent}/${name}`,
        name,
        manifest: readJson(join(root, parent, name, 'package.json')),
      })),
  );
}

/** @param {string} parent @returns {string[]} */
function folderNames(parent) {
  const path = join(root, parent);
  return existsSync(path) ? readdirSync(path).sort() : [];
}

/** @param {string} file @returns {any} */
export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Files that git tracks or would track, relative to the repository, without deleted ones.
 * @returns {string[]}
 */
export function repositoryFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  const names = new Set(output.split('\0').filter(Boolean));
  return [...names].filter((file) => existsSync(join(root, file))).sort();
}

/** Files that hold data only, or that a program wrote: no rule on size applies to them. */
const dataFile = /(^|\/)(data|fixtures|generated)\/|\.generated\./;

/** @param {string} file */
export function isDataFile(file) {
  return dataFile.test(file);
}
