// Packs the packages, installs them beside the frameworks and tools, and runs the tests in this
// folder: npm run test:hosts [-- hosts.test.js ...]. Build first: npm run test:hosts does.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/support/repository.mjs';
import { run } from '../../scripts/support/run.mjs';
import { startTestServers } from '../../scripts/support/test-servers.mjs';
import { installSets } from './installation.js';

const here = join(root, 'test', 'hosts');
const named = process.argv.slice(2);
const files = readdirSync(here).filter((name) =>
  named.length === 0 ? name.endsWith('.test.js') : named.includes(name),
);

const folder = mkdtempSync(join(tmpdir(), 'probity-hosts-'));
const servers = await startTestServers();
try {
  await installSets(folder);
  const paths = files.sort().map((name) => join(here, name));
  const flags = ['--test', '--test-reporter=spec', '--test-concurrency=2'];
  const env = { ...process.env, ...servers.env, HOSTS_FOLDER: folder };
  process.exitCode = await run(process.execPath, [...flags, ...paths], { env });
} finally {
  await servers.stop();
  rmSync(folder, { recursive: true, force: true });
}
