import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createPgVectorStore } from '../../src/vectors/pgvector.ts';
import { createRedisVectorStore } from '../../src/vectors/redis.ts';
import { createSqliteVecStore } from '../../src/vectors/sqlite-vec.ts';
import type { VectorStore } from '../../src/vectors/types.ts';

/** Where the vectors of a store are. */
export type StoreLocation =
  | { readonly name: 'sqlite-vec'; readonly file: string }
  | { readonly name: 'redis'; readonly url: string; readonly keyPrefix: string }
  | { readonly name: 'pgvector'; readonly url: string };

/** Opens a store, with a connection that it closes. */
export async function openStore(location: StoreLocation): Promise<VectorStore> {
  if (location.name === 'sqlite-vec') return createSqliteVecStore({ file: location.file });
  if (location.name === 'redis') {
    const { url, keyPrefix } = location;
    const client = new Redis(url);
    const store = createRedisVectorStore({ client, keyPrefix, newGeneration: randomUUID });
    return { ...store, close: () => endWith(store, async () => client.disconnect()) };
  }
  const client = new pg.Pool({ connectionString: location.url, max: 2 });
  client.on('error', () => undefined);
  const store = createPgVectorStore({ client });
  return { ...store, close: () => endWith(store, () => client.end()) };
}

const ended = new WeakSet<VectorStore>();

async function endWith(store: VectorStore, end: () => Promise<void>): Promise<void> {
  if (ended.has(store)) return;
  ended.add(store);
  await store.close();
  await end();
}
