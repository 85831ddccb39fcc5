// Says what this machine lacks to install, build and run Probity, and ends with 1 if anything.
// Needs no dependency, so that it can run before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const oldestNode = [20, 19, 0];

/** @typedef {(command: string, args: string[]) => boolean} Probe Whether a command succeeds. */

/**
 * @typedef {object} Machine
 * @property {string} nodeVersion Without a leading v.
 * @property {number} nodeApi Version of the Node-API.
 * @property {boolean} hasSqlite Whether better-sqlite3 12 is installed and built.
 * @property {boolean} hasHeaders Whether Node's C headers are there, or can be fetched.
 * @property {Probe} works
 */

/**
 * Lists what is missing, each as a sentence with its remedy. Only Node 20 needs a compiler: newer
 * versions of Node use the prebuilt line of better-sqlite3.
 * @param {Machine} machine
 * @returns {string[]}
 */
export function missingPrerequisites(machine) {
  const { nodeVersion, nodeApi, hasSqlite, hasHeaders, works } = machine;
  if (isOlder(nodeVersion, oldestNode)) {
    return [`Node ${nodeVersion} is too old: install Node ${oldestNode.join('.')} or newer.`];
  }
  if (nodeApi >= 10 || hasSqlite) return [];
  const tools = [
    { command: 'g++', instead: 'c++', debian: 'g++', what: 'A C++ compiler' },
    { command: 'make', instead: 'gmake', debian: 'make', what: 'make' },
    { command: 'python3', instead: 'python', debian: 'python3', what: 'Python 3' },
  ];
  const missing = tools
    .filter(({ command, instead }) => ![command, instead].some((it) => works(it, ['--version'])))
    .map(({ what, debian }) => `${what} is missing (Debian: apt install ${debian}).`);
  if (!hasHeaders) {
    missing.push(
      "Node's C headers are missing: if this machine is offline, set npm_config_nodedir to the " +
        'folder whose include/node has them (Debian packages: npm_config_nodedir=/usr npm ci).',
    );
  }
  return missing;
}

/** @param {string} version @param {readonly number[]} oldest */
function isOlder(version, oldest) {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const at = oldest.findIndex((number, index) => number !== parts[index]);
  return at >= 0 && (parts[at] ?? 0) < (oldest[at] ?? 0);
}

/**
 * Describes this machine.
 * @returns {Machine}
 */
export function thisMachine() {
  const works = (/** @type {string} */ command, /** @type {string[]} */ args) =>
    spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  const prefixes = [process.env.npm_config_nodedir, dirname(dirname(process.execPath)), '/usr'];
  const cache = join(homedir(), '.cache', 'node-gyp', process.versions.node);
  const headers = [
    ...prefixes
      .filter((prefix) => prefix !== undefined)
      .map((prefix) => join(prefix, 'include/node')),
    join(cache, 'include/node'),
  ];
  return {
    nodeVersion: process.versions.node,
    nodeApi: Number(process.versions.napi),
    hasSqlite: isSqliteBuilt(),
    hasHeaders: headers.some((folder) => existsSync(join(folder, 'node_api.h'))),
    works,
  };
}

function isSqliteBuilt() {
  try {
    const manifest = createRequire(import.meta.url).resolve('better-sqlite3/package.json');
    return existsSync(join(dirname(manifest), 'build/Release/better_sqlite3.node'));
  } catch {
    return false;
  }
}

/** Prints what is missing to standard error and says whether nothing is. */
export function reportPrerequisites() {
  const missing = missingPrerequisites(thisMachine());
  if (missing.length === 0) return true;
  const list = missing.map((sentence) => `  - ${sentence}`).join('\n');
  process.stderr.write(`Probity cannot be built on this machine yet:\n${list}\n`);
  return false;
}

if (process.argv[1]?.endsWith('prerequisites.mjs') && !reportPrerequisites()) process.exitCode = 1;
