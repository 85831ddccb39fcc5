import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, root } from './repository.mjs';

/** @typedef {import('./package-tarballs.mjs').PackedPackage} PackedPackage */

/** A program is installed by itself and pins what it runs with; a library must not. */
export function isProgram(/** @type {PackedPackage} */ { name }) {
  return ['@probity/standalone', '@probity/gateway', '@probity/cli'].includes(name);
}

/**
 * What is wrong with the files and the manifest of a tarball.
 * @param {PackedPackage} packed
 * @returns {string[]}
 */
export function manifestFaults(packed) {
  return [
    ...licenseFaults(packed),
    ...descriptionFaults(packed),
    ...linkFaults(packed),
    ...mapFaults(packed),
    ...rangeFaults(packed),
    ...programFaults(packed),
  ];
}

/** @param {PackedPackage} packed @returns {string[]} */
function licenseFaults({ folder }) {
  const license = join(folder, 'LICENSE');
  if (!existsSync(license)) return ['LICENSE is not in the tarball'];
  const isSame = readFileSync(license, 'utf8') === readFileSync(join(root, 'LICENSE'), 'utf8');
  return isSame ? [] : ["LICENSE differs from the repository's"];
}

/** @param {PackedPackage} packed @returns {string[]} */
function rangeFaults(packed) {
  const { dependencies, peerDependencies } = packed.manifest;
  const isExact = isProgram(packed);
  const form = isExact ? /^(npm:.+@)?\d+\.\d+\.\d+$/ : /^[\^~]\d+\.\d+\.\d+$/;
  const dependencyFaults = Object.entries(dependencies ?? {})
    .filter(([, range]) => !form.test(range))
    .map(
      ([name, range]) =>
        `${name} is ${range}, not ${isExact ? 'one version' : 'a caret or tilde range'}`,
    );
  const peerFaults = Object.entries(peerDependencies ?? {})
    .filter(
      ([, range]) => !range.split(' || ').every((/** @type {string} */ part) => /^\^/.test(part)),
    )
    .map(([name, range]) => `the peer ${name} is ${range}, not a caret range`);
  return [...dependencyFaults, ...peerFaults];
}

/** @param {PackedPackage} packed @returns {string[]} */
function programFaults({ folder, manifest }) {
  return Object.values(manifest.bin ?? {})
    .filter((path) => !existsSync(join(folder, path)))
    .map((path) => `${path} is not in the tarball`);
}

/** Relative targets of links in Markdown. */
const RELATIVE_LINK = /\]\((?!https?:|mailto:|#)([^)\s#]+)/g;

/**
 * Links of the README that are dead in the tarball, as npm shows it.
 * @param {PackedPackage} packed
 * @returns {string[]}
 */
function linkFaults({ folder }) {
  const readme = join(folder, 'README.md');
  if (!existsSync(readme)) return ['README.md is not in the tarball'];
  return [...readFileSync(readme, 'utf8').matchAll(RELATIVE_LINK)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(join(folder, path)))
    .map((path) => `README.md links to ${path}, which is not in the tarball`);
}

/**
 * Source maps are of use with their sources only, which tarballs do not have.
 * @param {PackedPackage} packed
 * @returns {string[]}
 */
function mapFaults({ folder }) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.map') && !path.startsWith('node_modules'))
    .slice(0, 1)
    .map((path) => `${path} is in the tarball without its source`);
}

/**
 * What npm shows and searches. Where the repository has an address, every package names it.
 * @param {PackedPackage} packed
 * @returns {string[]}
 */
function descriptionFaults({ manifest }) {
  const { repository } = readJson(join(root, 'package.json'));
  const wanted = ['description', 'keywords', 'license'];
  if (repository) wanted.push('repository', 'homepage', 'bugs');
  return wanted
    .filter((name) => Object.keys(manifest[name] ?? '').length === 0)
    .map((name) => `package.json has no ${name}`);
}
