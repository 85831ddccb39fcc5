import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.ts';
import { freePort } from './free-port.ts';
import { once } from './once.ts';
import { startSupervised } from './supervisor.ts';
import { PATIENCE_MS } from './until.ts';

/** A Redis server for tests. */
export interface RedisServer {
  /** `redis://127.0.0.1:port`. */
  readonly url: string;
  /** Stops the server if this process started it. Idempotent; not needed before the process ends. */
  stop(): Promise<void>;
}

/** Path of a Redis or Valkey server program on `path`, in the format of PATH. */
export function findRedis(path: string): string | undefined {
  return findProgram(['redis-server', 'valkey-server'], path);
}

/**
 * Why tests that need Redis cannot run here, for the `skip` option of a test: false when there is
 * a Redis, and always false where CI is set, so that such tests fail there instead of being left
 * out.
 */
export function redisMissing(): string | false {
  const { CI, PATH, TEST_REDIS_URL } = process.env;
  if (CI || TEST_REDIS_URL || findRedis(PATH ?? '')) return false;
  return 'no Redis server on PATH and no TEST_REDIS_URL';
}

/**
 * The Redis server of this process, started at the first call: the one `TEST_REDIS_URL` names,
 * else one started from the program on PATH, without persistence. It ends with this process. It
 * is shared by all tests: use separate key prefixes or database numbers.
 *
 * @throws Error that says what to install when there is no Redis.
 */
export const acquireRedis: () => Promise<RedisServer> = once(async () => {
  const url = process.env.TEST_REDIS_URL;
  if (url) return { url, stop: async () => undefined };
  const command = findRedis(process.env.PATH ?? '');
  if (command === undefined) {
    throw new Error(
      'Tests need a Redis server and found none. Install one (Debian: apt install redis-server; ' +
        'macOS: brew install redis), or set TEST_REDIS_URL.',
    );
  }
  return startRedis(command);
});

async function startRedis(command: string): Promise<RedisServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'probity-redis-'));
    try {
      const server = await startSupervised({
        command,
        args: ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        folder,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
        stopSignal: 'KILL',
        readyText: 'eady to accept connections',
        timeoutMs: PATIENCE_MS,
      });
      return { url: `redis://127.0.0.1:${port}`, stop: server.stop };
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      if (attempt === 5 || !String(error).includes('already in use')) throw error;
    }
  }
}
