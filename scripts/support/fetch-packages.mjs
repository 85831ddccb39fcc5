import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.mjs';
import { run } from './run.mjs';

const flags = [
  '--silent',
  '--ignore-scripts',
  '--no-save',
  '--no-package-lock',
  '--no-audit',
  '--no-fund',
  '--fetch-retries=1',
];

/**
 * Fetches packages with npm into a folder of their own below `.cache`, once. For what tests and
 * measurements want and an installation does not need.
 * @param {string} label What the folder is called.
 * @param {readonly string[]} specs Names and versions.
 * @param {object} [overrides] As in a manifest.
 * @param {readonly string[]} [options] Further options of npm.
 * @returns {Promise<string | undefined>} The folder, in whose `node_modules` they are; nothing when
 *   npm cannot fetch them.
 */
export async function fetchPackages(label, specs, overrides = {}, options = []) {
  const folder = join(root, '.cache', label);
  if (existsSync(folder)) return folder;
  // Only what is whole gets the name.
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  writeFileSync(join(making, 'package.json'), JSON.stringify({ private: true, overrides }));
  try {
    const install = ['install', '--prefix', making, ...flags, ...options, ...specs];
    const code = await run('npm', install, { cwd: making });
    if (code !== 0) return undefined;
    if (!existsSync(folder)) renameSync(making, folder);
    return folder;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
