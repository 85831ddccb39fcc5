// Compiles better-sqlite3 where it is needed and not there yet: on Node 20, once. Newer versions of
// Node use the line that comes prebuilt. Part of npm run build.
import { spawnSync } from 'node:child_process';
import { reportPrerequisites, thisMachine } from './prerequisites.mjs';
import { root } from './support/repository.mjs';

/**
 * Makes the install script of better-sqlite3 compile. By default it downloads a binary, which nothing
 * checks: the lock file has the hash of the source only.
 */
export const compileOnly = { npm_config_build_from_source: 'true' };

/** Says whether SQLite can be used, after compiling it if need be; prints what is wrong. */
export function ensureSqlite() {
  if (!reportPrerequisites()) return false;
  const { nodeApi, hasSqlite } = thisMachine();
  if (nodeApi >= 10 || hasSqlite) return true;
  process.stderr.write('Compiling better-sqlite3 for this Node, once; it takes about a minute.\n');
  const args = ['rebuild', 'better-sqlite3', '--ignore-scripts=false', '--foreground-scripts'];
  const env = { ...process.env, ...compileOnly };
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, env, encoding: 'utf8' });
  if (status === 0 && thisMachine().hasSqlite) return true;
  process.stderr.write(`better-sqlite3 could not be compiled:\n${stdout}${stderr}`);
  return false;
}

if (process.argv[1]?.endsWith('native.mjs') && !ensureSqlite()) process.exitCode = 1;
