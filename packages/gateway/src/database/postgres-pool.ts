import type { Logger } from '@probity/core';
import { isPoolerUrl } from '@probity/core/internal';
import type { PgPool } from '@probity/core/sql';
import type Pg from 'pg';
import type { GatewayConfig } from '../config/read-config.ts';
import type { TlsMode } from './postgres-tls.ts';
import { connectionWays, isRefusedMode, withTlsRemedy } from './postgres-tls.ts';

/** The settings of a pool. */
export type PoolSettings = GatewayConfig['database'];

/** A pool of connections that its maker closes. */
export interface OwnPool extends PgPool {
  end(): Promise<void>;
}

/** Connections beyond `pool_size` are closed after so many milliseconds without use. */
const IDLE_MS = 10_000;
/** The limit of connecting where nothing is to be waited for. */
const CONNECT_MS = 5_000;
/** A server that hangs cannot enforce its own statement timeout. */
const CLIENT_MARGIN_MS = 2_000;

/**
 * Makes a pool that keeps `pool_size` connections and opens up to `max_overflow` more. `connect` waits
 * `pool_timeout_sec` for a free connection; 0 waits for none.
 *
 * @throws Error that names the file when a certificate of the URL cannot be read
 */
export async function openPool(
  url: string,
  settings: PoolSettings,
  logger: Logger,
): Promise<OwnPool> {
  const { default: pg } = await import('pg');
  const ways = connectionWays(url, settings.ssl_mode);
  const most = settings.pool_size + settings.max_overflow;
  const make = (ssl: TlsMode): Pg.Pool => {
    const made = new pg.Pool({
      connectionString: ways.url,
      ssl,
      min: settings.pool_size,
      max: most,
      idleTimeoutMillis: IDLE_MS,
      connectionTimeoutMillis: waitMsOf(settings),
      ...(!isPoolerUrl(url) && { statement_timeout: settings.query_timeout_sec * 1_000 }),
      query_timeout: settings.query_timeout_sec * 1_000 + CLIENT_MARGIN_MS,
      application_name: 'probity-gateway',
    });
    made.on('error', (error) => logger.warn('a database connection was lost', { error }));
    return made;
  };
  let at = 0;
  let pool = make(ways.modes[at] ?? false);
  let ended = false;
  /** The next way to connect, unless another call has changed it meanwhile. */
  const change = (from: Pg.Pool) => {
    if (pool !== from || ended) return;
    at = (at + 1) % ways.modes.length;
    pool = make(ways.modes[at] ?? false);
    void from.end().catch(() => undefined);
  };
  const connect = async (): Promise<Pg.PoolClient> => {
    for (let tries = 1; ; tries++) {
      const tried = pool;
      if (settings.pool_timeout_sec === 0 && tried.idleCount === 0 && tried.totalCount >= most) {
        throw new Error('no connection is free, and database.pool_timeout_sec is 0');
      }
      try {
        return await tried.connect();
      } catch (error) {
        if (!isRefusedMode(error) || tries >= ways.modes.length) throw withTlsRemedy(error);
        change(tried);
      }
    }
  };
  return {
    get totalCount() {
      return pool.totalCount;
    },
    connect,
    query: (...query: never[]) => pool.query(...(query as unknown as [string])),
    async end() {
      if (ended) return;
      ended = true;
      await pool.end();
    },
  };
}

/** How long a connection is waited for, in milliseconds. */
export function waitMsOf({ pool_timeout_sec }: PoolSettings): number {
  return pool_timeout_sec === 0 ? CONNECT_MS : pool_timeout_sec * 1_000;
}
