// Runs the built tests under another version of Node: node scripts/test-node.mjs 22|24 [args of
// scripts/test.mjs]. That Node is fetched once, from npm, into .cache; exit code 3 when it cannot.
import { join } from 'node:path';
import { fetchPackages } from './support/fetch-packages.mjs';
import { root } from './support/repository.mjs';
import { run } from './support/run.mjs';

/** Newest version of each line at the time of writing. */
const versions = /** @type {Record<string, string>} */ ({ 22: '22.23.3', 24: '24.21.0' });

/**
 * Gives the path of a Node binary, fetching it when it is not there.
 * @param {string} version
 * @returns {Promise<string | undefined>} Nothing when npm cannot fetch it.
 */
async function fetchNode(version) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = await fetchPackages(`node-${version}`, [`${name}@${version}`]);
  if (folder === undefined) return undefined;
  const program = platform === 'win' ? 'node.exe' : 'node';
  return join(folder, 'node_modules', name, 'bin', program);
}

/** @param {string} version @param {readonly string[]} args @returns {Promise<number>} */
async function testUnder(version, args) {
  const node = await fetchNode(version);
  if (node === undefined) {
    process.stderr.write(`npm could not fetch Node ${version}\n`);
    return 3;
  }
  process.stdout.write(`Tests under Node ${version}\n`);
  const env = { ...process.env, NODE_BINARY: node };
  return run(node, [join(root, 'scripts', 'test.mjs'), ...args], { env });
}

const [line = '', ...args] = process.argv.slice(2);
const version = versions[line];
if (version === undefined) {
  process.stderr.write(`Usage: node scripts/test-node.mjs ${Object.keys(versions).join('|')}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await testUnder(version, args);
}
