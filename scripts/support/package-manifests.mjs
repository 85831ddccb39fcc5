import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.mjs';

/** @typedef {import('./package-tarballs.mjs').PackedPackage} PackedPackage */

/** A program is installed by itself and pins what it runs with; a library must not. */
export function isProgram(/** @type {PackedPackage} */ { name }) {
  return ['@probity/standalone', '@probity/gateway'].includes(name);
}

/**
 * What is wrong with the files and the manifest of a tarball.
 * @param {PackedPackage} packed
 * @returns {string[]}
 */
export function manifestFaults(packed) {
  return [...licenseFaults(packed), ...rangeFaults(packed), ...programFaults(packed)];
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
  const form = isExact ? /^(npm:.+@)?\d+\.\d+\.\d+$/ : /^\^\d+\.\d+\.\d+$/;
  const dependencyFaults = Object.entries(dependencies ?? {})
    .filter(([, range]) => !form.test(range))
    .map(
      ([name, range]) => `${name} is ${range}, not ${isExact ? 'one version' : 'a caret range'}`,
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
