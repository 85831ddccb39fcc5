import { acquirePostgres, createTestDatabase } from '@probity/test-support';
import pg from 'pg';
import { startPglite } from './pglite-server.ts';

/** A database with pgvector for tests. */
export interface PgVectorServer {
  readonly url: string;
  /** Whether it is PostgreSQL itself; else PostgreSQL compiled to WebAssembly, in this process. */
  readonly isNative: boolean;
  close(): Promise<void>;
}

/** A database of the tests' PostgreSQL where that has pgvector, else PGlite. */
export async function startPgVector(): Promise<PgVectorServer> {
  if (!(await hasPgVector())) return { ...(await startPglite()), isNative: false };
  const { url, drop } = await createTestDatabase();
  return { url, isNative: true, close: drop };
}

/** Whether the tests' PostgreSQL has the files of pgvector. */
export async function hasPgVector(): Promise<boolean> {
  const client = new pg.Client((await acquirePostgres()).url);
  await client.connect();
  try {
    const text = "select from pg_available_extensions where name = 'vector'";
    return (await client.query(text)).rowCount === 1;
  } finally {
    await client.end();
  }
}
