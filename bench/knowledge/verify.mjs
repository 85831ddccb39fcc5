// How long a text takes to verify against 20,000 nuggets, how long the event loop stands still meanwhile, whether the
// stores find what an exhaustive search finds, and what written contradictions are taken for:
// node bench/knowledge/verify.mjs [nuggets] [store]
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  contextOf,
  createMemoryDatabase,
  createRuntime,
  createTenants,
} from '../../packages/core/dist/src/index.js';
import {
  createKnowledgeImports,
  createKnowledgeSearch,
  createMemoryKnowledgeStorage,
  createMemoryVectorStore,
  createTextVerification,
} from '../../packages/knowledge/dist/src/index.js';
import { createPgVectorStore } from '../../packages/knowledge/dist/src/vectors/pgvector.js';
import { createRedisVectorStore } from '../../packages/knowledge/dist/src/vectors/redis.js';
import { createSqliteVecStore } from '../../packages/knowledge/dist/src/vectors/sqlite-vec.js';
import { createSentenceEmbedder } from '../../packages/pipeline/dist/src/claims.js';
import { acquireRedis } from '../../test/support/dist/src/index.js';

const count = Number(process.argv[2] ?? 20_000);
const written = new URL('../../tooling/detection-lab/written/', import.meta.url);
const lines = readFileSync(new URL('truth-a.jsonl', written), 'utf8').trim().split('\n');
const claims = lines.map((line) => JSON.parse(line)).filter(({ prompt }) => prompt === undefined);
const facts = JSON.parse(readFileSync(new URL('truth-a.kb.json', written), 'utf8'));
const context = contextOf({ organizationId: 'bench' });

const database = createMemoryDatabase();
const runtime = createRuntime({ database, tenants: createTenants(database) });
const storage = createMemoryKnowledgeStorage(database);
await fill();
const folder = mkdtempSync(join(tmpdir(), 'probity-bench-'));
/** Each opens a store; it gives what closes its connection, where it has one. */
const stores = {
  memory: async () => ({ store: createMemoryVectorStore() }),
  'sqlite-vec': async () => ({ store: createSqliteVecStore({ file: join(folder, 'vectors.db') }) }),
  redis: async () => {
    const server = await acquireRedis();
    const client = new Redis(server.url);
    const end = async () => {
      client.disconnect();
      await server.stop();
    };
    return { store: createRedisVectorStore({ client, newGeneration: randomUUID }), end };
  },
  pgvector: async () => {
    const program = new URL('pgvector-server.mjs', import.meta.url).pathname;
    const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(server.stdout, 'data');
    const { url, isNative } = JSON.parse(String(line));
    if (!isNative) console.log('PostgreSQL has no pgvector here: PGlite, in a process of its own.');
    const client = new pg.Pool({ connectionString: url, max: 2 });
    client.on('error', () => undefined);
    const end = async () => {
      await client.end();
      server.stdin.end();
      await once(server, 'exit');
    };
    return { store: createPgVectorStore({ client }), end };
  },
};
for (const [name, open] of Object.entries(stores)) {
  if (process.argv[3] !== undefined && process.argv[3] !== name) continue;
  const { store, end } = await open();
  await measure(name, store);
  await store.close();
  await end?.();
}
rmSync(folder, { recursive: true });

/** The written facts, and statements about made-up things. */
async function fill() {
  const words = [
    'river',
    'engine',
    'treaty',
    'museum',
    'orchestra',
    'satellite',
    'harbor',
    'novel',
  ];
  const rows = facts.map((claim) => ({ claim, source_url: 'https://facts.example/' }));
  for (let at = rows.length; at < count; at++) {
    const [one, other] = [words[at % 8], words[(at >> 3) % 8]];
    const claim = `The ${one} of ${at.toString(36)}ville was opened in ${1500 + (at % 500)} beside the ${other}.`;
    rows.push({ claim, source_url: 'https://facts.example/' });
  }
  const imports = createKnowledgeImports(runtime, { storage });
  async function* file() {
    yield Buffer.from(JSON.stringify(rows));
  }
  await imports.importFile(context, file(), { format: 'json' });
}

/** @param {string} name @param {import('../../packages/knowledge/dist/src/index.js').VectorStore} store */
async function measure(name, store) {
  const embedder = createSentenceEmbedder();
  const search = createKnowledgeSearch({ storage, store, embedder, embedderName: 'built-in' });
  const { verify } = createTextVerification(search);
  const started = performance.now();
  await verify(context, 'The first call fills the store.');
  const filled = performance.now() - started;
  for (const { text } of claims.slice(0, 50)) await verify(context, text);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const times = [];
  const tally = {};
  for (const { text, types } of claims) {
    const from = performance.now();
    const { verdict } = await verify(context, text);
    times.push(performance.now() - from);
    const key = `${types[0] ?? 'unknown'}: ${verdict}`;
    tally[key] = (tally[key] ?? 0) + 1;
  }
  loop.disable();
  times.sort((left, right) => left - right);
  const at = (share) => times[Math.floor(times.length * share)].toFixed(1);
  console.log(
    `${name}: ${count} nuggets filled in ${filled.toFixed(0)} ms; verify p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ` +
      `longest stand-still ${(loop.max / 1e6).toFixed(1)} ms; top-1 as exact ${await agreement(store, embedder)}`,
  );
  console.log(tally);
}

/** Of 100 claims, how many have the nearest nugget of an exhaustive search in double precision. */
async function agreement(store, embedder) {
  const signal = new AbortController().signal;
  const { nuggets } = await storage.readNuggetChanges('bench', 0, count);
  const vectors = await embedder.embed(
    nuggets.map(({ claim }) => claim),
    signal,
  );
  let same = 0;
  const asked = claims.slice(0, 100);
  const queries = await embedder.embed(
    asked.map(({ text }) => text),
    signal,
  );
  for (const query of queries) {
    let best = -Infinity;
    let nearest;
    vectors.forEach((vector, index) => {
      let product = 0;
      for (let place = 0; place < query.length; place++) product += query[place] * vector[place];
      if (product > best) [best, nearest] = [product, nuggets[index].id];
    });
    const [found] = await store.search('bench/built-in', query, 1);
    if (found.id === nearest) same++;
  }
  return `${same} of ${queries.length}`;
}
