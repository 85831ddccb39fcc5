import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock, Logger } from '@probity/core';
import type { Redis } from 'ioredis';
import { checkTextOf } from '../database/gateway-database.ts';
import type { CacheSettings, CacheStore } from './store.ts';

/** Dependencies of a cache on a server. */
export interface RedisCacheOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Signs what is kept, so that no other program that writes to the server decides on scans. */
  readonly signingKey: Uint8Array;
}

/** A command that takes longer counts as an outage; the scan goes on without. */
const COMMAND_MS = 250;
const CONNECT_MS = 2_000;
const MAX_RECONNECT_DELAY_MS = 2_000;
/** Time without questions after an outage: a server that hangs would delay each scan. */
const PAUSE_MS = 1_000;

/** Microseconds of the server's clock, which all gateways share. */
const NOW = `local time = redis.call('TIME')
local now = string.format('%.0f', tonumber(time[1]) * 1000000 + tonumber(time[2]))`;

/** The index has the keys in the order of their last use. */
const GET = `${NOW}
local text = redis.call('GET', KEYS[2])
if text then redis.call('ZADD', KEYS[1], 'XX', now, KEYS[2]) end
return text`;

const SET = `${NOW}
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[1], now, KEYS[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now - ARGV[2] * 1000))
local excess = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[3])
if excess > 0 then
  local oldest = redis.call('ZPOPMIN', KEYS[1], excess)
  for at = 1, #oldest, 2 do redis.call('DEL', oldest[at]) end
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

/** A cache on a Redis server, which any number of gateways with one key may share. */
export async function openRedisCache(
  settings: CacheSettings,
  { clock, logger, signingKey }: RedisCacheOptions,
): Promise<CacheStore> {
  const client = await connect(settings);
  const name = (key: string) => `${settings.key_prefix}gateway:${key}`;
  const index = name('index');
  let failure: string | undefined = 'starting';
  let connection: string | undefined;
  let asksAgainAtMs = Number.NEGATIVE_INFINITY;
  // Without a listener each error would be printed. It says more than that of a command.
  client.on('error', (error: unknown) => {
    connection = checkTextOf(error);
  });
  client.on('ready', () => {
    connection = undefined;
    asksAgainAtMs = Number.NEGATIVE_INFINITY;
  });
  const ask = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      const result = await work();
      if (failure?.startsWith('error')) logger.info('the cache answers again');
      failure = undefined;
      return result;
    } catch (error) {
      if (!failure?.startsWith('error')) {
        logger.warn('the cache does not answer; scans go on without it', { error });
      }
      failure = connection ?? checkTextOf(error);
      asksAgainAtMs = clock.monotonicMs() + PAUSE_MS;
      return undefined;
    }
  };
  const isPausing = () => clock.monotonicMs() < asksAgainAtMs;
  const sign = (key: string, text: string) =>
    createHmac('sha256', signingKey).update(`${key}\n${text}`).digest('base64url');
  await client.connect().catch(() => undefined);
  const store: CacheStore = {
    async get(key) {
      if (isPausing()) return undefined;
      const kept = await ask(() => client.eval(GET, 2, index, name(key)) as Promise<unknown>);
      return typeof kept === 'string' ? verified(kept, (text) => sign(key, text)) : undefined;
    },
    async set(key, text) {
      if (isPausing()) return;
      const ttlMs = String(settings.ttl_seconds * 1_000);
      const signed = `${sign(key, text)}.${text}`;
      await ask(() =>
        client.eval(SET, 2, index, name(key), signed, ttlMs, String(settings.max_items)),
      );
    },
    check: () => failure ?? 'ok',
    async probe() {
      await ask(() => client.ping());
    },
    close: () => client.disconnect(),
  };
  await store.probe();
  return store;
}

/** The text behind its signature; undefined where that is not right. */
function verified(kept: string, sign: (text: string) => string): string | undefined {
  const end = kept.indexOf('.');
  const text = kept.slice(end + 1);
  const [given, right] = [Buffer.from(kept.slice(0, end)), Buffer.from(sign(text))];
  return given.length === right.length && timingSafeEqual(given, right) ? text : undefined;
}

async function connect({ host, port, password, ssl }: CacheSettings): Promise<Redis> {
  const { Redis: Client } = await import('ioredis');
  return new Client({
    ...(host !== undefined && { host }),
    port,
    ...(password !== undefined && { password }),
    ...(ssl && { tls: {} }),
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS,
    commandTimeout: COMMAND_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS),
  });
}
