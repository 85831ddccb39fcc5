import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { createEmbedder, createKnowledgeIndex, createMemoryVectorStore } from '../../src/index.ts';
import { createWorld } from '../world.ts';

const SOURCE = 'https://facts.example/';

/** A server of the OpenAI protocol that embeds by length; `lengthOf` the vectors of a model. */
async function startServer(t: TestLifetime, lengthOf: (model: string) => number) {
  const calls: Array<{ readonly authorization: string | undefined; readonly texts: number }> = [];
  let failures = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { model, input } = JSON.parse(Buffer.concat(chunks).toString());
    calls.push({ authorization: request.headers.authorization, texts: input.length });
    if (failures > 0) {
      failures--;
      response.writeHead(503, { 'retry-after': '0' }).end();
      return;
    }
    const data = (input as string[]).map((text, index) => ({
      index,
      embedding: Array.from({ length: lengthOf(model) }, (_, at) => text.length + at),
    }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const fail = (times: number) => {
    failures = times;
  };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, calls, fail };
}

test('names of embedders have what their vectors depend on, and no address or key', () => {
  const server = { kind: 'openai', baseUrl: 'https://a.example/v1', model: 'small' } as const;
  const nameOf = (settings: Parameters<typeof createEmbedder>[0]) => createEmbedder(settings).name;
  assert.equal(nameOf({ kind: 'built-in' }), 'built-in-1');
  assert.equal(nameOf({ ...server, apiKey: 'sk-secret' }), 'openai:small');
  assert.equal(nameOf({ ...server, dimensions: 64 }), 'openai:small:64');
  const local = { kind: 'onnx', model: '/srv/models/owner/e5' } as const;
  assert.equal(nameOf(local), 'onnx:owner/e5:mean');
  assert.equal(nameOf({ ...local, pooling: 'cls', dtype: 'q8' }), 'onnx:owner/e5:q8:cls');
});

test('vectors of a server are made in batches and retried, and another model makes them anew', async (t) => {
  const server = await startServer(t, (model) => (model === 'small' ? 3 : 5));
  const { storage, services, context, organizationId } = await createWorld(t);
  for (let at = 0; at < 150; at++) {
    await services.nuggets.create(context, { claim: 'x'.repeat(at + 1), sourceUrl: SOURCE });
  }
  const store = createMemoryVectorStore();
  const indexOf = (model: string) => {
    const apiKey = 'sk-secret';
    const settings = { kind: 'openai', baseUrl: server.baseUrl, model, apiKey } as const;
    const { name: embedderName, embedder } = createEmbedder(settings);
    return createKnowledgeIndex({ storage, store, embedder, embedderName });
  };
  server.fail(1);
  const { position } = await indexOf('small').catchUp(organizationId);
  assert.equal(position, 150);
  assert.deepEqual(
    server.calls.map(({ texts }) => texts),
    [64, 64, 64, 22],
  );
  assert.ok(server.calls.every(({ authorization }) => authorization === 'Bearer sk-secret'));
  const other = indexOf('large');
  assert.equal((await other.state(organizationId)).pending, 150);
  await other.catchUp(organizationId);
  const found = await store.search(
    `${organizationId}/openai:large`,
    new Float32Array(5).fill(1),
    1,
  );
  assert.equal(found.length, 1);
});

test('a server whose model changes the length of its vectors is refused, with both lengths', async (t) => {
  let length = 3;
  const server = await startServer(t, () => length);
  const { storage, services, context, organizationId } = await createWorld(t);
  const store = createMemoryVectorStore();
  const settings = { kind: 'openai', baseUrl: server.baseUrl, model: 'm' } as const;
  const catchUp = async (claim: string) => {
    await services.nuggets.create(context, { claim, sourceUrl: SOURCE });
    const { name: embedderName, embedder } = createEmbedder(settings);
    const index = createKnowledgeIndex({ storage, store, embedder, embedderName });
    return index.catchUp(organizationId);
  };
  await catchUp('One');
  length = 4;
  await assert.rejects(catchUp('Two'), /openai:m has changed: .*4 numbers.* 3\./);
  assert.equal(await store.position(`${organizationId}/openai:m`), 1);
});
