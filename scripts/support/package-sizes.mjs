import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { succeed } from './package-tarballs.mjs';

/** @typedef {import('./package-tarballs.mjs').PackedPackage} PackedPackage */

/**
 * @typedef {object} Installation
 * @property {string} title
 * @property {readonly string[]} ours Our packages, without the scope.
 * @property {readonly string[]} others With their versions.
 * @property {number} [megabytes] The most it may take; not bounded by default.
 * @property {number} [packages] The most packages.
 */

const SERVED = ['koa@3', '@koa/router@15', 'kysely@0.28'];
const GOVERNANCE = ['core', 'pipeline', 'governance', 'webhooks'];

/** @type {readonly Installation[]} */
const INSTALLATIONS = [
  { title: 'scans alone', ours: ['pipeline'], others: [], megabytes: 25, packages: 6 },
  {
    title: 'governance and webhooks over HTTP and SQL, without a driver',
    ours: GOVERNANCE,
    others: SERVED,
    megabytes: 45,
  },
  // 27 MB of it are the driver's sources and its builds for every platform.
  {
    title: 'the same with better-sqlite3',
    ours: GOVERNANCE,
    others: [...SERVED, 'better-sqlite3@13'],
  },
];

const FLAGS = [
  ...['--silent', '--prefer-offline', '--ignore-scripts'],
  ...['--no-audit', '--no-fund', '--no-package-lock'],
];

/**
 * Installs what hosts install, prints how much it is, and holds it to its bounds.
 * @param {readonly PackedPackage[]} packed
 * @param {string} into
 * @returns {Promise<string[]>} What is larger than it may be.
 * @throws {Error} With npm's output when it fails.
 */
export async function sizeFaults(packed, into) {
  const faults = [];
  for (const [index, installation] of INSTALLATIONS.entries()) {
    const { title, ours, others, megabytes = Infinity, packages = Infinity } = installation;
    const tarballs = packed
      .filter(({ name }) => ours.includes(name.replace('@probity/', '')))
      .map(({ tarball }) => tarball);
    // Repositories that tests of these scripts make have other packages.
    if (tarballs.length < ours.length) continue;
    const cwd = join(into, `size-${index}`);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'package.json'), '{"private":true}');
    await succeed('npm', ['install', ...FLAGS, ...tarballs, ...others], { cwd });
    const size = sizeOf(join(cwd, 'node_modules'));
    const figures = `${size.megabytes.toFixed(1)} MB in ${size.packages} packages`;
    process.stdout.write(`${title}: ${figures}\n`);
    if (size.megabytes > megabytes) faults.push(`${title}: more than ${megabytes} MB`);
    if (size.packages > packages) faults.push(`${title}: more than ${packages} packages`);
  }
  return faults;
}

/** The bytes of all files, and the folders of packages, in a folder of npm's. */
function sizeOf(/** @type {string} */ folder) {
  let bytes = 0;
  let packages = 0;
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const stats = statSync(join(folder, path));
    if (stats.isFile()) bytes += stats.size;
    else if (isPackage(folder, path)) packages += 1;
  }
  return { megabytes: bytes / 2 ** 20, packages };
}

function isPackage(/** @type {string} */ folder, /** @type {string} */ path) {
  const parent = dirname(path);
  const home = basename(parent).startsWith('@') ? dirname(parent) : parent;
  const isBelow = home === '.' || basename(home) === 'node_modules';
  return isBelow && existsSync(join(folder, path, 'package.json'));
}
