import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenAiEmbedderOptions } from '../../src/backends/index.ts';
import { createOpenAiEmbedder } from '../../src/backends/index.ts';
import type { Answer } from './model-server.ts';
import { PATIENCE_MS, refusing, sendJson, startModelServer } from './model-server.ts';

const never = new AbortController().signal;
const embedderAt = (baseUrl: string, more: Partial<OpenAiEmbedderOptions> = {}) =>
  createOpenAiEmbedder({
    baseUrl,
    model: 'vectors',
    maxRetries: 0,
    timeoutMs: PATIENCE_MS,
    ...more,
  });

/** Answers each text with its length and its place in the batch, last text first. */
const measuring: Answer = (response, { body }) => {
  const data = (body.input as string[])
    .map((text, index) => ({ object: 'embedding', index, embedding: [text.length, index] }))
    .reverse();
  sendJson(response, { object: 'list', data });
};
const giving = (...vectors: unknown[]): Answer => {
  return (response) =>
    sendJson(response, { data: vectors.map((embedding, index) => ({ index, embedding })) });
};

describe('createOpenAiEmbedder', () => {
  it('createOpenAiEmbedder embeds in batches and keeps the order of the texts, whatever the order of the response', async (test) => {
    const server = await startModelServer(test, measuring);
    const embedder = embedderAt(server.baseUrl, { batchSize: 2 });
    const vectors = await embedder.embed(['a', 'bb', 'ccc', 'dddd', 'eeeee'], never);
    assert.deepEqual(
      vectors.map((vector) => [...vector]),
      [
        [1, 0],
        [2, 1],
        [3, 0],
        [4, 1],
        [5, 0],
      ],
    );
    assert.deepEqual(
      server.calls.map(({ path, body }) => [path, (body.input as string[]).length]),
      [
        ['/v1/embeddings', 2],
        ['/v1/embeddings', 2],
        ['/v1/embeddings', 1],
      ],
    );
    assert.equal(server.calls[0]?.authorization, undefined);
    assert.equal(server.calls[0]?.body.encoding_format, 'float');
    assert.ok(!('dimensions' in (server.calls[0]?.body ?? {})));
  });

  it('createOpenAiEmbedder sends no request for an empty list of texts', async (test) => {
    const server = await startModelServer(test, measuring);
    assert.deepEqual(await embedderAt(server.baseUrl).embed([], never), []);
    assert.equal(server.calls.length, 0);
  });

  it('createOpenAiEmbedder requests the configured dimensions and refuses others', async (test) => {
    const server = await startModelServer(test, giving([1, 2, 3]));
    const three = embedderAt(server.baseUrl, { dimensions: 3 });
    assert.equal((await three.embed(['a'], never))[0]?.length, 3);
    assert.equal(server.calls[0]?.body.dimensions, 3);
    const two = embedderAt(server.baseUrl, { dimensions: 2 });
    await assert.rejects(two.embed(['a'], never), { failure: 'answer' });
  });

  it('createOpenAiEmbedder refuses vectors whose length differs from the first response', async (test) => {
    const server = await startModelServer(test, giving([1, 2]), giving([1, 2, 3]));
    const embedder = embedderAt(server.baseUrl);
    await embedder.embed(['a'], never);
    await assert.rejects(embedder.embed(['b'], never), { failure: 'answer' });
  });

  const bad: [string, Answer][] = [
    ['too few vectors', giving([1, 2])],
    ['too many vectors', giving([1, 2], [3, 4], [5, 6])],
    ['vectors of two lengths', giving([1, 2], [3])],
    ['an empty vector', giving([], [])],
    ['texts for numbers', giving(['1', '2'], ['3', '4'])],
    ['numbers beyond single precision', giving([1e300, 0], [0, 1])],
    ['base64', giving('AACAPwAAAEA=', 'AACAPwAAAEA=')],
    ['null', (response) => sendJson(response, null)],
    ['no list', (response) => sendJson(response, { data: 'none' })],
    ['rows that are null', (response) => sendJson(response, { data: [null, null] })],
    [
      'one number twice',
      (response) => {
        const row = { index: 0, embedding: [1, 2] };
        sendJson(response, { data: [row, row] });
      },
    ],
    [
      'a number out of range',
      (response) => {
        const embedding = [1, 2];
        sendJson(response, {
          data: [
            { index: -1, embedding },
            { index: 1.5, embedding },
          ],
        });
      },
    ],
  ];
  for (const [what, answer] of bad) {
    it(`createOpenAiEmbedder refuses ${what}`, async (test) => {
      const server = await startModelServer(test, answer);
      const asked = embedderAt(server.baseUrl).embed(['a', 'b'], never);
      await assert.rejects(asked, { code: 'BACKEND_FAILED', failure: 'answer' });
    });
  }

  it('createOpenAiEmbedder rejects when one batch fails', async (test) => {
    const server = await startModelServer(test, measuring, refusing(400));
    const embedder = embedderAt(server.baseUrl, { batchSize: 1 });
    await assert.rejects(embedder.embed(['a', 'b'], never), { failure: 'status', status: 400 });
  });

  it('createOpenAiEmbedder refuses invalid options', () => {
    const options: [Partial<OpenAiEmbedderOptions>, string][] = [
      [{ dimensions: 0 }, 'dimensions'],
      [{ batchSize: 0 }, 'batchSize'],
    ];
    for (const [more, option] of options) {
      assert.throws(() => embedderAt('http://localhost', more), { option });
    }
  });
});
