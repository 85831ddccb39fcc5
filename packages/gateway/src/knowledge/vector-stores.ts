import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Logger } from '@probity/core';
import type { VectorStore } from '@probity/knowledge';
import type { PoolClient } from 'pg';
import type { GatewayConfig } from '../config/read-config.ts';
import type { Environment } from '../config/substitution.ts';
import { databaseOf } from '../database/location.ts';

/** A store of vectors with its connection. */
export interface OwnVectorStore {
  readonly store: VectorStore;
  close(): Promise<void>;
}

/** Where stores are. */
export interface VectorStoreOptions {
  readonly file: string;
  readonly env: Environment;
  readonly logger: Logger;
}

const COMMAND_MS = 10_000;

/**
 * Opens the store of `embeddings.provider`, of which nothing is asked yet: a file `gateway-vectors.db` beside the
 * configuration, or the server that `PROBITY_GATEWAY_VECTORS_URL` names, else that of the records or of the cache.
 *
 * @throws Error naming the variable when there is no server
 */
export async function openVectorStore(
  config: GatewayConfig,
  { file, env, logger }: VectorStoreOptions,
): Promise<OwnVectorStore> {
  const { PROBITY_GATEWAY_VECTORS_URL: url } = env;
  const { provider } = config.embeddings;
  if (provider === 'sqlite-vec') {
    const { createSqliteVecStore } = await import('@probity/knowledge/sqlite-vec');
    const store = createSqliteVecStore({
      file: join(dirname(resolve(file)), 'gateway-vectors.db'),
    });
    return { store, close: () => store.close() };
  }
  if (provider === 'redis') return openRedis(config, url);
  const database = databaseOf(file, env);
  const server = url ?? (database.kind === 'postgres' ? database.url : undefined);
  if (!server || !/^postgres(?:ql)?:\/\//.test(server) || !URL.canParse(server)) {
    throw lacking('pgvector', 'postgres://…, or PROBITY_GATEWAY_DATABASE_URL to be one');
  }
  const { openPool } = await import('../database/postgres-pool.ts');
  const { createPgVectorStore } = await import('@probity/knowledge/pgvector');
  const pool = await openPool(server, config.database, logger);
  const store = createPgVectorStore({
    client: {
      async query(text, values) {
        const client = (await pool.connect()) as PoolClient;
        try {
          return await client.query(text, values);
        } finally {
          client.release();
        }
      },
    },
  });
  return { store, close: () => pool.end() };
}

async function openRedis(
  { caching }: GatewayConfig,
  url: string | undefined,
): Promise<OwnVectorStore> {
  if (url === undefined ? caching.host === undefined : !/^rediss?:\/\//.test(url)) {
    throw lacking('redis', 'redis://…, or caching.host');
  }
  const { Redis } = await import('ioredis');
  const { createRedisVectorStore } = await import('@probity/knowledge/redis');
  const options = {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_MS,
    connectTimeout: 2_000,
  } as const;
  const { host, port, password, ssl } = caching;
  const client =
    url === undefined
      ? new Redis({
          ...options,
          ...(host !== undefined && { host }),
          port,
          ...(password !== undefined && { password }),
          ...(ssl && { tls: {} }),
        })
      : new Redis(url, options);
  // Calls report what went wrong; without a listener each error would be printed once more.
  client.on('error', () => undefined);
  const store = createRedisVectorStore({
    client,
    newGeneration: randomUUID,
    keyPrefix: `${caching.key_prefix}gateway:vectors:`,
  });
  return {
    store,
    async close() {
      await store.close();
      client.disconnect();
    },
  };
}

function lacking(provider: string, needs: string): Error {
  return new Error(
    `embeddings.provider ${provider} needs PROBITY_GATEWAY_VECTORS_URL with ${needs}`,
  );
}
