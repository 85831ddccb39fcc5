import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { temporaryRoot } from '@probity/test-support';
import { describeVectorStore } from '../../src/testing.ts';
import { createMemoryVectorStore } from '../../src/vectors/memory.ts';
import type { VectorDatabase } from '../../src/vectors/sqlite-vec.ts';
import { createSqliteVecStore } from '../../src/vectors/sqlite-vec.ts';

/** The driver that runs on this Node. */
const Database = createRequire(import.meta.url)(
  Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3',
) as new (
  path: string,
) => VectorDatabase;

describeVectorStore({
  name: 'memory',
  async open() {
    const store = createMemoryVectorStore();
    return { store, reopen: null, dispose: () => store.close() };
  },
});

describeVectorStore({
  name: 'sqlite-vec',
  async open() {
    const path = join(mkdtempSync(join(temporaryRoot(), 'vectors-')), 'vectors.db');
    const opened = [createSqliteVecStore({ database: new Database(path) })];
    return {
      store: opened[0] as (typeof opened)[number],
      async reopen() {
        await opened[0]?.close();
        const again = createSqliteVecStore({ database: new Database(path) });
        opened.push(again);
        return again;
      },
      async dispose() {
        for (const store of opened) await store.close();
      },
    };
  },
});
