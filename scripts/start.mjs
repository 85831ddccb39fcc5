// Builds what is not built and serves: npm start [-- --port 8080 ...]. Arguments are those of
// `probity-server serve`. The server runs in this process, so signals and its exit code need no
// forwarding.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildDashboard } from './dashboard.mjs';
import { ensureSqlite } from './native.mjs';
import { root } from './support/repository.mjs';

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const server = join(root, 'packages', 'standalone', 'bin', 'probity-server.js');

/** Says whether everything is built; prints the compiler's messages only when it is not. */
function build() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-b'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return true;
  process.stderr.write(`The build failed:\n${stdout}${stderr}`);
  return false;
}

function isInstalled() {
  if (existsSync(compiler)) return true;
  process.stderr.write('The dependencies are not installed yet. Run: npm ci\n');
  return false;
}

if (isInstalled() && ensureSqlite() && build() && buildDashboard()) {
  process.argv = [process.argv[0] ?? 'node', server, 'serve', ...process.argv.slice(2)];
  await import(pathToFileURL(server).href);
} else {
  process.exitCode = 1;
}
