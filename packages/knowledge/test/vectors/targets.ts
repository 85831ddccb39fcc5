import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { acquireRedis, redisMissing, temporaryRoot } from '@probity/test-support';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createMemoryVectorStore } from '../../src/index.ts';
import type { VectorStoreTarget } from '../../src/testing.ts';
import type { VectorStore } from '../../src/vectors/types.ts';
import type { StoreLocation } from './open-store.ts';
import { openStore } from './open-store.ts';
import type { PgVectorServer } from './pgvector-server.ts';
import { startPgVector } from './pgvector-server.ts';

/** Stores whose vectors outlive a process. */
export const KEPT = ['sqlite-vec', 'redis', 'pgvector'] as const;
export type KeptStore = (typeof KEPT)[number];

/** Why a store cannot be tested here, or false. */
export function missing(name: KeptStore): string | false {
  return name === 'redis' ? redisMissing() : false;
}

let postgres: Promise<PgVectorServer> | null = null;
let prefixes = 0;

/** PostgreSQL with pgvector, started at the first call. */
function acquirePgVector(): Promise<PgVectorServer> {
  postgres ??= startPgVector();
  return postgres;
}

/** Stops what was started here. */
export async function stopServers(): Promise<void> {
  await (await postgres)?.close();
  postgres = null;
}

/** A place without vectors, and how what was stored there is removed. */
export async function newLocation(
  name: KeptStore,
): Promise<{ readonly location: StoreLocation; clear(): Promise<void> }> {
  if (name === 'sqlite-vec') {
    const file = join(mkdtempSync(join(temporaryRoot(), 'vectors-')), 'vectors.db');
    return { location: { name, file }, clear: async () => undefined };
  }
  if (name === 'redis') {
    const { url } = await acquireRedis();
    const keyPrefix = `test:vectors:${process.pid}:${++prefixes}:`;
    return { location: { name, url, keyPrefix }, clear: () => clearRedis(url, keyPrefix) };
  }
  const { url } = await acquirePgVector();
  return { location: { name, url }, clear: () => clearPostgres(url) };
}

async function clearRedis(url: string, keyPrefix: string): Promise<void> {
  const client = new Redis(url);
  const keys = await client.keys(`${keyPrefix}*`);
  if (keys.length > 0) await client.unlink(...keys);
  client.disconnect();
}

async function clearPostgres(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('drop table if exists probity_vectors, probity_vector_collections');
  await client.end();
}

/** A store in the form of the contract suite. */
export function keptTarget(name: KeptStore): VectorStoreTarget {
  return {
    name,
    async open() {
      const { location, clear } = await newLocation(name);
      const opened: VectorStore[] = [];
      const open = async () => {
        const store = await openStore(location);
        opened.push(store);
        return store;
      };
      return {
        store: await open(),
        openAnother: open,
        async dispose() {
          for (const store of opened) await store.close();
          await clear();
        },
      };
    },
  };
}

export const memoryTarget: VectorStoreTarget = {
  name: 'memory',
  async open() {
    const store = createMemoryVectorStore();
    return { store, openAnother: null, dispose: () => store.close() };
  },
};
