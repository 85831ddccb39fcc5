import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { LifecyclePart, Logger } from '@probity/core';
import { isPoolerUrl } from '@probity/core/internal';
import type { NamedEmbedder, VectorStore } from '@probity/knowledge';
import { createEmbedder, createMemoryVectorStore } from '@probity/knowledge';
import type { ServerConfig } from './config.ts';
import { StartFailure } from './failure.ts';

/** What keeps and makes the vectors of knowledge bases. */
export interface OwnedVectors {
  readonly vectors: VectorStore;
  readonly embedder: NamedEmbedder;
  /** Closes both, with their connections. */
  readonly part: LifecyclePart;
}

interface OwnedStore {
  readonly store: VectorStore;
  /** Ends the connection of the store. */
  readonly end: () => Promise<void>;
}

type VectorConfig = Pick<
  ServerConfig,
  'vectors' | 'vectorsUrl' | 'embeddings' | 'database' | 'dataDir' | 'redisUrl'
>;

/**
 * Opens the store that the configuration names; nothing is asked of it yet.
 * @throws StartFailure that names the setting that it lacks
 */
export async function createVectors(config: VectorConfig, logger: Logger): Promise<OwnedVectors> {
  const embedder = createEmbedder(config.embeddings);
  const { store, end } = await openStore(config, logger);
  const part: LifecyclePart = {
    name: 'vectors',
    start: async () => undefined,
    async stop() {
      await store.close();
      await end();
      await embedder.close?.();
    },
  };
  return { vectors: store, embedder, part };
}

async function openStore(config: VectorConfig, logger: Logger): Promise<OwnedStore> {
  switch (config.vectors) {
    case 'memory':
      return openMemory();
    case 'sqlite-vec':
      return openFile(config);
    case null:
      return openFile(config).catch((error: unknown) => {
        logger.warn('vectors of knowledge bases are made again at each start', {
          error,
          remedy: 'PROBITY_KNOWLEDGE_VECTORS chooses another store, such as pgvector',
        });
        return openMemory();
      });
    case 'pgvector':
      return openPostgres(config, logger);
    case 'redis':
      return openRedis(config, logger);
  }
}

function openMemory(): OwnedStore {
  return { store: createMemoryVectorStore(), end: async () => undefined };
}

async function openFile({ dataDir }: VectorConfig): Promise<OwnedStore> {
  const { createSqliteVecStore } = await import('@probity/knowledge/sqlite-vec');
  const store = createSqliteVecStore({ file: join(dataDir, 'vectors.db') });
  return { store, end: async () => undefined };
}

async function openPostgres(config: VectorConfig, logger: Logger): Promise<OwnedStore> {
  const { database, vectorsUrl } = config;
  const url = vectorsUrl ?? (database.kind === 'postgres' ? database.url : null);
  if (url === null || !/^postgres(ql)?:/.test(url)) {
    throw lacksUrl('pgvector', 'a URL postgres://…, or the database to be PostgreSQL');
  }
  const { default: pg } = await import('pg');
  const { createPgVectorStore } = await import('@probity/knowledge/pgvector');
  const timeout = isPoolerUrl(url) ? { query_timeout: 30_000 } : { statement_timeout: 30_000 };
  const client = new pg.Pool({ connectionString: url, max: 4, ...timeout });
  client.on('error', (error) => logger.warn('a connection to the vectors has failed', { error }));
  return { store: createPgVectorStore({ client }), end: () => client.end() };
}

async function openRedis(config: VectorConfig, logger: Logger): Promise<OwnedStore> {
  const url = config.vectorsUrl ?? config.redisUrl;
  if (url === null || !/^rediss?:/.test(url)) {
    throw lacksUrl('redis', 'a URL redis://…, or PROBITY_REDIS_URL');
  }
  const { Redis } = await import('ioredis');
  const { createRedisVectorStore } = await import('@probity/knowledge/redis');
  const client = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 2,
    commandTimeout: 30_000,
  });
  client.on('error', (error) => logger.warn('the connection to the vectors has failed', { error }));
  const store = createRedisVectorStore({ client, newGeneration: randomUUID });
  return { store, end: async () => client.disconnect() };
}

function lacksUrl(name: string, needs: string): StartFailure {
  return new StartFailure(
    `PROBITY_KNOWLEDGE_VECTORS=${name} needs PROBITY_KNOWLEDGE_VECTORS_URL with ${needs}.`,
  );
}
