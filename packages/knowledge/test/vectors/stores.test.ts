import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@probity/test-support';
import pg from 'pg';
import { describeVectorStore } from '../../src/testing.ts';
import { createPgVectorStore } from '../../src/vectors/pgvector.ts';
import type { StoreLocation } from './open-store.ts';
import { openStore } from './open-store.ts';
import { hasPgVector } from './pgvector-server.ts';
import { KEPT, keptTarget, memoryTarget, missing, newLocation, stopServers } from './targets.ts';

after(stopServers);

describeVectorStore(memoryTarget);
for (const name of KEPT) {
  const skip = missing(name);
  if (skip) test(`${name}: the contract of vector stores`, { skip });
  else describeVectorStore(keptTarget(name));

  test(`${name}: a writer that is killed leaves changes as a whole, or none of them`, {
    skip,
  }, async () => {
    const { location, clear } = await newLocation(name);
    try {
      for (let round = 1; round <= 3; round++) await killWriter(location, round * 7);
    } finally {
      await clear();
    }
  });
}

/** Kills a writer right behind its n-th line, while it works on the next changes. */
async function killWriter(location: StoreLocation, lines: number): Promise<void> {
  const program = fileURLToPath(new URL('./writer.js', import.meta.url));
  const writer = spawn(process.execPath, [program, JSON.stringify(location)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = 0;
  for await (const line of createInterface({ input: writer.stdout })) {
    said = Number(line);
    if (--lines === 0) writer.kill('SIGKILL');
  }
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit');
  const store = await openStore(location);
  try {
    const position = await store.position('a');
    assert.ok(position >= said, `${position} is behind ${said}`);
    const found = await store.search('a', Float32Array.of(1, 0), 1_000);
    const expected = Array.from({ length: 200 }, (_, at) => `${position}-${at}`);
    assert.deepEqual(
      found.map(({ id }) => id),
      expected,
    );
  } finally {
    await store.close();
  }
}

const isNative = await hasPgVector();

test('a PostgreSQL without pgvector is told what it lacks', {
  skip: isNative && 'this PostgreSQL has pgvector',
}, async (t) => {
  const { url } = await createTestDatabase(t);
  await assert.rejects(positionAt(url), /not available.*install pgvector/);
});

test('a role that may not create the extension is told who may', {
  skip: !isNative && 'this PostgreSQL has no pgvector',
}, async (t) => {
  const url = new URL((await createTestDatabase(t)).url);
  url.searchParams.set('options', '-c role=pg_monitor');
  await assert.rejects(positionAt(url.href), /permission denied.*let a superuser run/);
});

async function positionAt(connectionString: string): Promise<number> {
  const client = new pg.Pool({ connectionString });
  try {
    return await createPgVectorStore({ client }).position('a');
  } finally {
    await client.end();
  }
}
