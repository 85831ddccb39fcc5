// Runs the built tests under another version of Node: node scripts/test-node.mjs 22|24 [args of
// scripts/test.mjs]. That Node is fetched once, from npm, into .cache; exit code 3 when it cannot.
import { join } from 'node:path';
import { fetchNode, nodeVersions } from './support/fetch-node.mjs';
import { root } from './support/repository.mjs';
import { run } from './support/run.mjs';

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
const version = nodeVersions[line];
if (version === undefined) {
  process.stderr.write(
    `Usage: node scripts/test-node.mjs ${Object.keys(nodeVersions).join('|')}\n`,
  );
  process.exitCode = 2;
} else {
  process.exitCode = await testUnder(version, args);
}
