// Builds the pages of packages/dashboard where a source is newer than the built files. Part of npm run build.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './support/repository.mjs';

const folder = join(root, 'packages', 'dashboard');
const built = join(folder, 'dist', 'app', 'index.html');

/** Builds the pages unless they are up to date; returns false when the build fails. */
export function buildDashboard() {
  if (existsSync(built) && newestSource() <= statSync(built).mtimeMs) return true;
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  return run([tsc, '-p', 'app']) && run([vite, 'build', '--logLevel', 'warn']);
}

/** The newest source of the pages, in ms; the client is built into them. */
function newestSource() {
  const files = ['app', '../client/dist/src'].flatMap((part) => {
    const entries = readdirSync(join(folder, part), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  });
  const all = [...files, join(folder, 'vite.config.ts'), join(folder, 'package.json')];
  return Math.max(...all.map((file) => statSync(file).mtimeMs));
}

/** @param {readonly string[]} args */
function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) process.stderr.write(`The build of the dashboard failed:\n${stdout}${stderr}`);
  return status === 0;
}

if (process.argv[1] === import.meta.filename && !buildDashboard()) process.exitCode = 1;
