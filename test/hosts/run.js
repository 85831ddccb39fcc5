// Packs the packages, installs them beside the frameworks and tools, and runs the tests in this
// folder: npm run test:hosts [-- 22 24 hosts.test.js ...]. Under the named lines of Node, where npm can
// fetch them, those run of which a line decides how modules are loaded, or all that are named. Build
// first: npm run test:hosts does.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode, nodeVersions } from '../../scripts/support/fetch-node.mjs';
import { root } from '../../scripts/support/repository.mjs';
import { capture, run } from '../../scripts/support/run.mjs';
import { startTestServers } from '../../scripts/support/test-servers.mjs';
import { installSets } from './installation.js';

const here = join(root, 'test', 'hosts');
const args = process.argv.slice(2);
const lines = args.filter((arg) => arg in nodeVersions);
const named = args.filter((arg) => !lines.includes(arg));
const own =
  named.length > 0 ? named : readdirSync(here).filter((name) => name.endsWith('.test.js'));
/** What runs under another Node than this one: bundlers, tracers, test runners, and SDKs that need it. */
const elsewhere = named.length > 0 ? named : ['bundlers.test.js', 'next.test.js', 'sdks.test.js'];

const folder = mkdtempSync(join(tmpdir(), 'probity-hosts-'));
const servers = await startTestServers();
try {
  await installSets(folder);
  await runUnder(process.execPath, own);
  for (const line of lines) {
    const version = nodeVersions[line] ?? '';
    const node = await fetchNode(version);
    if (node) await runUnder(node, elsewhere);
    else process.stderr.write(`npm could not fetch Node ${version}: NOT tested under it.\n`);
  }
} finally {
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} node A binary. @param {readonly string[]} files Sets the exit code where one fails. */
async function runUnder(node, files) {
  const { output: version } = await capture(node, ['--version']);
  process.stdout.write(`Hosts under Node ${version}`);
  const paths = [...files].sort().map((name) => join(here, name));
  const flags = ['--test', '--test-reporter=spec', '--test-concurrency=2'];
  const env = { ...process.env, ...servers.env, HOSTS_FOLDER: folder };
  const code = await run(node, [...flags, ...paths], { env });
  if (code !== 0) process.exitCode = code;
}
