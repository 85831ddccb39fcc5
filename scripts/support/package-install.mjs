import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entriesOf, importFaults } from './package-entries.mjs';
import { succeed } from './package-tarballs.mjs';
import { typeFaults } from './package-types.mjs';
import { root } from './repository.mjs';
import { capture } from './run.mjs';

/** @typedef {import('./package-tarballs.mjs').PackedPackage} PackedPackage */

/** The optional peers that an entry needs, of those that its package names; other entries need none. */
const entryPeers = /** @type {Record<string, readonly string[]>} */ ({
  './koa': ['koa', '@koa/router'],
  './mail': ['nodemailer'],
  './pdf': [
    '@cantoo/pdf-lib',
    '@cantoo/fontkit',
    '@fontsource/unifont',
    'bidi-js',
    'dejavu-fonts-ttf',
  ],
  './pgvector': [],
  './prometheus': ['prom-client'],
  './redis': [],
  './sql': ['kysely'],
  './sqlite-vec': ['sqlite-vec'],
  './testing': ['kysely', 'koa', '@koa/router'],
});

/** The example that scans as a library, and what a host installs for it beside our packages. */
const scanFolder = join(root, 'examples', 'embed-express', 'dist', 'src');
const scanFiles = ['scan.js', 'governance.js', 'host.js'];
const scanPeers = ['kysely', 'better-sqlite3', 'better-sqlite3-13'];
const scanArgs = ['scan.js', 'host.db', 'acme', 'Her SSN is 536-22-8145.'];

/**
 * Libraries as npm installs their tarballs into an empty folder, without any optional peer. Peers
 * are linked into the folder above it, where Node looks next, so that one installation serves every
 * choice of them.
 */
export class PackageInstall {
  /** @type {readonly PackedPackage[]} */
  #packages;
  #folder;
  #peerFolder;

  /** @param {readonly PackedPackage[]} packages Libraries. @param {string} folder An empty one. */
  constructor(packages, folder) {
    this.#packages = packages;
    this.#folder = join(folder, 'install');
    this.#peerFolder = join(folder, 'node_modules');
  }

  /**
   * Installs the tarballs.
   * @returns {Promise<string[]>} Optional peers that came along.
   * @throws {Error} With npm's output when it fails.
   */
  async install() {
    mkdirSync(this.#folder);
    writeFileSync(join(this.#folder, 'package.json'), '{"private":true,"type":"module"}');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
    const tarballs = this.#packages.map(({ tarball }) => tarball);
    await succeed('npm', ['install', '--silent', ...flags, ...tarballs], { cwd: this.#folder });
    const peers = this.#packages.flatMap(({ manifest }) => optionalPeers(manifest));
    return [...new Set(peers)]
      .filter((name) => existsSync(join(this.#folder, 'node_modules', name)))
      .map((name) => `the optional peer ${name} is installed although nothing asks for it`);
  }

  /**
   * Imports and requires every entry with the optional peers that it needs and no other.
   * @param {readonly string[]} nodes Node binaries.
   * @returns {Promise<string[]>}
   */
  async entryFaults(nodes) {
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const packed of this.#packages) {
      for (const { subpath, specifier } of entriesOf(packed)) {
        const peers = optionalPeers(packed.manifest);
        const key = (entryPeers[subpath] ?? []).filter((name) => peers.includes(name)).join();
        groups.set(key, [...(groups.get(key) ?? []), specifier]);
      }
    }
    const faults = [];
    for (const [key, specifiers] of groups) {
      const peers = key === '' ? [] : key.split(',');
      this.#linkPeers(peers);
      for (const node of nodes) {
        const found = await importFaults({ node, folder: this.#folder, specifiers });
        faults.push(...found.map((fault) => `with ${key || 'no optional peer'} ${fault}`));
      }
    }
    return faults;
  }

  /**
   * Type-checks every entry with all optional peers and the types of those that have none.
   * @returns {Promise<string[]>}
   */
  async typeFaults() {
    const peers = this.#packages.flatMap(({ manifest }) => optionalPeers(manifest));
    this.#linkPeers([...new Set(peers), '@types']);
    const specifiers = this.#packages.flatMap((packed) =>
      entriesOf(packed).map(({ specifier }) => specifier),
    );
    return typeFaults(this.#folder, specifiers);
  }

  /**
   * Scans on SQLite with neither koa nor pg, as a host does that mounts no router.
   * @param {readonly string[]} nodes Node binaries.
   * @returns {Promise<string[]>}
   */
  async scanFaults(nodes) {
    this.#linkPeers(scanPeers);
    for (const file of scanFiles) cpSync(join(scanFolder, file), join(this.#folder, file));
    const faults = [];
    for (const node of nodes) {
      const { output } = await capture(node, scanArgs, { cwd: this.#folder });
      if (output === 'blocked pii_scanner found ssn\n') continue;
      faults.push(`a scan with ${scanPeers.join(', ')} answers\n${output.trim()}`);
    }
    return faults;
  }

  /** @param {readonly string[]} names */
  #linkPeers(names) {
    rmSync(this.#peerFolder, { recursive: true, force: true });
    for (const name of names) {
      const link = join(this.#peerFolder, name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(installedFolder(name, this.#packages), link);
    }
  }
}

/**
 * Gives an unpacked package what its manifest declares, and nothing else: links to the installed
 * packages, and to the unpacked ones for those of this repository. npm's flat folder would hide a
 * dependency that is missing in the manifest.
 * @param {PackedPackage} packed
 * @param {readonly PackedPackage[]} all
 */
export function linkDependencies(packed, all) {
  const { dependencies, optionalDependencies, peerDependencies } = packed.manifest;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  for (const name of names) {
    const ours = all.find((other) => other.name === name)?.folder;
    const target = ours ?? installedFolder(name, [packed]);
    if (!existsSync(target)) continue;
    const link = join(packed.folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
}

/** @param {string} name @param {readonly PackedPackage[]} packages @returns {string} */
function installedFolder(name, packages) {
  const parents = [...packages.map(({ source }) => source), root];
  const folders = parents.map((parent) => join(parent, 'node_modules', name));
  return folders.find((folder) => existsSync(folder)) ?? join(root, 'node_modules', name);
}

/** @param {Record<string, any>} manifest @returns {string[]} */
function optionalPeers({ peerDependenciesMeta }) {
  return Object.keys(peerDependenciesMeta ?? {});
}
