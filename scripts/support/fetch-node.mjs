import { join } from 'node:path';
import { fetchPackages } from './fetch-packages.mjs';

/** Newest version of each line at the time of writing. */
export const nodeVersions = /** @type {Record<string, string>} */ ({
  22: '22.23.3',
  24: '24.21.0',
});

/**
 * Gives the path of a Node binary, fetching it from npm into .cache when it is not there.
 * @param {string} version
 * @returns {Promise<string | undefined>} Nothing when npm cannot fetch it.
 */
export async function fetchNode(version) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = await fetchPackages(`node-${version}`, [`${name}@${version}`]);
  if (folder === undefined) return undefined;
  const program = platform === 'win' ? 'node.exe' : 'node';
  return join(folder, 'node_modules', name, 'bin', program);
}
