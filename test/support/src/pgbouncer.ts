import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import { startSupervised } from './supervisor.ts';
import type { TestLifetime } from './temporary-folder.ts';
import { unprivilegedUser } from './unprivileged-user.ts';
import { PATIENCE_MS } from './until.ts';

/** Debian installs it where only root looks. */
function findPgBouncer(): string | undefined {
  return findProgram(['pgbouncer'], [process.env.PATH ?? '', '/usr/sbin'].join(delimiter));
}

/** Why tests behind PgBouncer cannot run here, for the `skip` option of a test; see `redisMissing`. */
export function pgBouncerMissing(): string | false {
  return process.env.CI || findPgBouncer() ? false : 'no PgBouncer on PATH (apt install pgbouncer)';
}

/**
 * Starts PgBouncer in transaction mode with four connections to the database of `url`, and returns
 * the URL of the pooler. It ends with `test`. `settings` are further lines of its configuration.
 *
 * @throws Error when PgBouncer is missing.
 */
export async function startPgBouncer(
  url: string,
  test: TestLifetime,
  settings: readonly string[] = [],
): Promise<string> {
  const command = findPgBouncer();
  if (!command) throw new Error('Tests need PgBouncer and found none: apt install pgbouncer.');
  const { hostname, port, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'probity-pgbouncer-'));
  chmodSync(folder, 0o755);
  const listenPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    ...['[databases]', `* = host=${hostname} port=${port} user=postgres`],
    ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${listenPort}`],
    ...['auth_type = any', 'pool_mode = transaction', 'default_pool_size = 4', 'unix_socket_dir ='],
    ...settings,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  try {
    const server = await startSupervised({
      command,
      args: [file],
      folder,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      user: unprivilegedUser(),
      stopSignal: 'KILL',
      readyText: 'process up',
      timeoutMs: PATIENCE_MS,
    });
    test.after(server.stop);
    return `postgres://postgres@127.0.0.1:${listenPort}${pathname}`;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
