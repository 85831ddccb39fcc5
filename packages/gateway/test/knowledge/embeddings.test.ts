import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import {
  acquireRedis,
  createTestDatabase,
  redisMissing,
  temporaryFolder,
  until,
} from '@probity/test-support';
import { Redis } from 'ioredis';
import type { Answer } from '../world.ts';
import { at, startGateway } from '../world.ts';

const skip = redisMissing();

const CLAIM = 'The tower was built in 1889.';

function knowledgeFile(
  t: TestContext,
  claims: readonly string[] = [CLAIM, 'Water boils at 100 degrees.'],
) {
  const file = join(temporaryFolder(t).path, 'knowledge.json');
  writeFileSync(file, JSON.stringify(claims));
  return { PROBITY_GATEWAY_KNOWLEDGE_FILE: file };
}

/** A server of the OpenAI protocol that makes vectors of one length, by the letters of the texts. */
async function startModels(t: TestContext, length: number) {
  const calls: { model: string; texts: number }[] = [];
  const state = { isDown: false };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { model, input } = JSON.parse(body) as { model: string; input: string[] };
    if (state.isDown) {
      response.writeHead(400).end('{}');
      return;
    }
    calls.push({ model, texts: input.length });
    const data = input.map((text, index) => {
      const embedding = new Array<number>(length).fill(0.01);
      for (const letter of text.toLowerCase()) embedding[letter.charCodeAt(0) % length] = 1;
      return { index, embedding };
    });
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { calls, state, env: { PROBITY_GATEWAY_EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1` } };
}

/** No probe asks the models while a test counts their calls. */
const RARE_PROBES =
  'server: {host: 127.0.0.1, port: 0}\n' +
  'monitoring: {prometheus: {port: 0}, health_check: {port: 0, check_interval_sec: 3600}}\n';

const typesOf = ({ body }: Answer) =>
  (
    (at(body, 'data.findings') ?? at(body, 'governance.findings')) as {
      stage: string;
      type: string;
    }[]
  ).map(({ stage, type }) => `${stage} ${type}`);
const checkOf = async (gateway: { call(path: string): Promise<Answer> }) =>
  String(at((await gateway.call('/health')).body, 'checks.embeddings'));

test('the truth stages use the vectors of the knowledge base, by default in a file beside the configuration', async (t) => {
  const gateway = await startGateway(t, '', { env: knowledgeFile(t) });
  assert.equal(await checkOf(gateway), 'ok');
  assert.ok(existsSync(join(gateway.folder, 'gateway-vectors.db')));
  const answer = await gateway.scan({ prompt: CLAIM, response: CLAIM });
  assert.deepEqual(typesOf(answer), ['truth_scan supported', 'output_truth_scanner supported']);
});

test('the built-in model makes vectors of every embeddings.dimension', async (t) => {
  for (const dimension of [1, 64, 384]) {
    const text = `embeddings: {dimension: ${dimension}}`;
    const gateway = await startGateway(t, text, { env: knowledgeFile(t, [CLAIM]) });
    assert.equal(await checkOf(gateway), 'ok', text);
    const answer = await gateway.scan({ response: CLAIM });
    assert.deepEqual(typesOf(answer), ['output_truth_scanner supported'], text);
  }
});

test('without a knowledge base no store is opened', async (t) => {
  const gateway = await startGateway(t);
  await gateway.scan({ response: CLAIM });
  assert.equal(await checkOf(gateway), 'disabled');
  assert.ok(!existsSync(join(gateway.folder, 'gateway-vectors.db')));
});

test('embeddings.provider redis keeps the vectors on the server', { skip }, async (t) => {
  const { url } = await acquireRedis();
  const client = new Redis(url);
  t.after(() => client.disconnect());
  const prefix = `${randomUUID()}:`;
  const env = { ...knowledgeFile(t), PROBITY_GATEWAY_VECTORS_URL: url };
  const text = `embeddings: {provider: redis}\ncaching: {key_prefix: "${prefix}"}`;
  const gateway = await startGateway(t, text, { env });
  assert.deepEqual(typesOf(await gateway.scan({ response: CLAIM })), [
    'output_truth_scanner supported',
  ]);
  assert.ok((await client.keys(`${prefix}gateway:vectors:*`)).length > 0);
  assert.ok(!existsSync(join(gateway.folder, 'gateway-vectors.db')));
});

test('embeddings.provider pgvector says what a server without the extension lacks', async (t) => {
  const { url } = await createTestDatabase(t);
  const env = { ...knowledgeFile(t), PROBITY_GATEWAY_VECTORS_URL: url };
  const text = 'embeddings: {provider: pgvector}\ndatabase: {ssl_mode: prefer}';
  const gateway = await startGateway(t, text, { env });
  assert.match(await checkOf(gateway), /^error: The vectors need the extension pgvector/);
});

test('a provider without a server is refused, naming the variable', async (t) => {
  for (const provider of ['pgvector', 'redis']) {
    await assert.rejects(
      startGateway(t, `embeddings: {provider: ${provider}}`, { env: knowledgeFile(t) }),
      { message: new RegExp(`embeddings.provider ${provider} needs PROBITY_GATEWAY_VECTORS_URL`) },
    );
  }
});

test('embeddings.model and embeddings.batch_size: 100 statements in batches of 32 are four calls', async (t) => {
  const { calls, env } = await startModels(t, 64);
  const claims = Array.from({ length: 100 }, (_, each) => `Statement ${each} is true.`);
  const text = `${RARE_PROBES}embeddings: {model: own-model, dimension: 64, batch_size: 32}`;
  const gateway = await startGateway(t, text, { env: { ...env, ...knowledgeFile(t, claims) } });
  assert.deepEqual(
    calls,
    [32, 32, 32, 4].map((texts) => ({ model: 'own-model', texts })),
  );
  await gateway.scan({ response: 'Statement 7 is true.' });
  assert.deepEqual(calls.at(-1), { model: 'own-model', texts: 1 });
});

test('stage_config.truth_scan.embedding_model makes the vectors of claims in prompts', async (t) => {
  const { calls, env } = await startModels(t, 64);
  const text =
    `${RARE_PROBES}embeddings: {model: documents, dimension: 64}\n` +
    'stage_config: {truth_scan: {embedding_model: questions}}';
  const gateway = await startGateway(t, text, { env: { ...env, ...knowledgeFile(t) } });
  calls.length = 0;
  await gateway.scan({ prompt: CLAIM, response: 'Water boils at 100 degrees.' });
  assert.deepEqual(
    calls.map(({ model }) => model),
    ['questions', 'documents'],
  );
});

test('a model whose vectors have another length than embeddings.dimension is refused, naming both', async (t) => {
  const { env } = await startModels(t, 64);
  const own = { env: { ...env, ...knowledgeFile(t) } };
  await assert.rejects(startGateway(t, 'embeddings: {model: own-model, dimension: 32}', own), {
    message: 'embeddings.model own-model makes vectors of 64 numbers; embeddings.dimension is 32',
  });
  const text = 'stage_config: {truth_scan: {embedding_model: questions}}';
  await assert.rejects(startGateway(t, text, own), {
    message:
      'stage_config.truth_scan.embedding_model questions makes vectors of 64 numbers; embeddings.dimension is 1536',
  });
});

test('a store with vectors of another length than embeddings.dimension is refused, naming both', {
  skip,
}, async (t) => {
  const { url } = await acquireRedis();
  const long = await startModels(t, 64);
  const short = await startModels(t, 32);
  const prefix = `${randomUUID()}:`;
  const start = (dimension: number, env: object) =>
    startGateway(
      t,
      `embeddings: {provider: redis, model: own-model, dimension: ${dimension}}\ncaching: {key_prefix: "${prefix}"}`,
      { env: { ...env, ...knowledgeFile(t), PROBITY_GATEWAY_VECTORS_URL: url } },
    );
  await start(64, long.env);
  await assert.rejects(start(32, short.env), {
    message:
      /^embeddings\.dimension is 32, and the store of embeddings\.provider redis has vectors of another length: .*32.*64/,
  });
});

test('embeddings.fail_open decides whether scans pass while the model is down', async (t) => {
  const { state, env } = await startModels(t, 64);
  const text = (failOpen: boolean) =>
    `embeddings: {model: own-model, dimension: 64, fail_open: ${failOpen}}\n` +
    'server: {host: 127.0.0.1, port: 0}\n' +
    'monitoring: {prometheus: {port: 0}, health_check: {port: 0, check_interval_sec: 1}}';
  const own = { env: { ...env, ...knowledgeFile(t) } };
  const open = await startGateway(t, text(true), own);
  const closed = await startGateway(t, text(false), own);
  assert.equal((await closed.call('/ready')).status, 200);
  state.isDown = true;
  const passed = await open.scan({ response: CLAIM });
  assert.equal(passed.status, 200);
  const stages = at(passed.body, 'data.stages') as { name: string; status: string }[];
  assert.equal(stages.find(({ name }) => name === 'output_truth_scanner')?.status, 'failed');
  assert.equal((await closed.scan({ response: CLAIM })).status, 403);
  assert.match(await checkOf(open), /^error: /);
  assert.equal((await open.call('/ready')).status, 200);
  assert.equal((await closed.call('/ready')).status, 503);
  state.isDown = false;
  await until(async () => (await closed.call('/ready')).status === 200, 'the probe has seen it');
});

test('vectors of claims are kept in the cache', async (t) => {
  const { calls, env } = await startModels(t, 64);
  const text = 'caching: {enabled: true}\nembeddings: {model: own-model, dimension: 64}';
  const gateway = await startGateway(t, text, { env: { ...env, ...knowledgeFile(t) } });
  calls.length = 0;
  await gateway.scan({ response: CLAIM });
  await gateway.scan({ response: CLAIM, prompt: 'Hello there, friend.' });
  assert.match(await gateway.metrics(), /^gateway_cache_hits_total\{type="embedding"\} 1$/m);
});
