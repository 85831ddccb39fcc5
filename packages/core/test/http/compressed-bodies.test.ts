import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import type { TestLifetime } from '@probity/test-support';
import { z } from 'zod';
import type { BodyBudget } from '../../src/http/body-budget.ts';
import { createBodyBudget } from '../../src/http/body-budget.ts';
import { endpoint, stream } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import type { RouterOptions } from '../../src/http/router-options.ts';
import { as, serveKoa } from '../../src/testing/http.ts';
import { errorOf, sampleRouter } from './sample.ts';

const LIMIT = 100_000;

const shared = { method: 'POST', summary: 'Echo', tag: 'Echo', rateLimit: 'general' } as const;
const length = z.strictObject({ length: z.number() });
const responses = { 200: { description: 'The length', schema: length } } as const;

/** Endpoints that answer the length of the text in their body, which each reads in another way. */
const echoes = [
  endpoint({
    ...{ ...shared, responses, path: '/whole', operationId: 'whole' },
    permission: 'webhooks:write',
    body: z.strictObject({ text: z.string() }),
    bodyLimit: LIMIT,
    handler: async ({ body, reply }) => reply(200, { length: body.text.length }),
  }),
  endpoint({
    ...{ ...shared, responses, path: '/read', operationId: 'read' },
    permission: 'webhooks:write',
    body: stream({ types: ['application/json'], limit: LIMIT, read: lengthOf }),
    handler: async ({ body, reply }) => reply(200, { length: body }),
  }),
  endpoint({
    ...{ ...shared, responses, path: '/streamed', operationId: 'streamed' },
    permission: 'webhooks:write',
    body: stream({ types: ['application/json'], limit: LIMIT }),
    handler: async ({ body, reply }) => reply(200, { length: await lengthOf(body) }),
  }),
];

async function lengthOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return JSON.parse(Buffer.concat(parts).toString()).text.length;
}

async function serveEchoes(t: TestLifetime, options: Partial<RouterOptions> = {}) {
  const url = await serveKoa(t, sampleRouter(options, generalErrors, echoes));
  return (path: string, body: Uint8Array, encoding: string) =>
    fetch(`${url}/${path}`, {
      method: 'POST',
      headers: as('owner', { 'content-type': 'application/json', 'content-encoding': encoding }),
      body: new Uint8Array(body),
    });
}

const bodyOf = (count: number) => Buffer.from(JSON.stringify({ text: 'x'.repeat(count) }));
const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: (bytes: Buffer) => Buffer };
const ENCODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  GZIP: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  ...(zstdCompressSync && { zstd: zstdCompressSync }),
};

test('decompresses bodies of every encoding, whole and streamed', async (t) => {
  const send = await serveEchoes(t);
  for (const path of ['whole', 'read', 'streamed']) {
    for (const [encoding, compress] of Object.entries(ENCODERS)) {
      const response = await send(path, compress(bodyOf(50_000)), encoding);
      assert.deepEqual(await response.json(), { length: 50_000 }, `${path} ${encoding}`);
    }
  }
});

test('refuses a body that decompresses beyond the limit, whatever its compressed size', async (t) => {
  const send = await serveEchoes(t);
  for (const path of ['whole', 'read', 'streamed']) {
    for (const size of [LIMIT, 10 * LIMIT]) {
      for (const encoding of ['gzip', 'br']) {
        const compress = ENCODERS[encoding] as (bytes: Buffer) => Buffer;
        const response = await send(path, compress(bodyOf(size)), encoding);
        assert.equal(response.status, 413, `${path} ${encoding}`);
        assert.match((await errorOf(response)).message, /larger than 100000 bytes/);
      }
    }
  }
});

test('refuses bytes that do not have the declared encoding with 400', async (t) => {
  const send = await serveEchoes(t);
  const whole = zlib.gzipSync(bodyOf(1_000));
  const bodies = [Buffer.from('{"text":"x"}'), whole.subarray(0, 20), zlib.deflateSync(whole)];
  for (const path of ['whole', 'read', 'streamed']) {
    for (const body of bodies) {
      const response = await send(path, body, 'gzip');
      assert.equal(response.status, 400, path);
      assert.match((await errorOf(response)).message, /^The request body must be gzip/);
    }
  }
});

test('refuses an unknown encoding, and several, with the accepted encodings', async (t) => {
  const send = await serveEchoes(t);
  for (const path of ['whole', 'read', 'streamed']) {
    for (const encoding of ['compress', 'gzip, gzip', 'identity, gzip', 'x']) {
      const response = await send(path, zlib.gzipSync(bodyOf(10)), encoding);
      assert.equal(response.status, 415, encoding);
      assert.match(response.headers.get('accept-encoding') ?? '', /^gzip, deflate, br/);
      const { message } = await errorOf(response);
      assert.match(message, /^Content-Encoding must be one .*gzip, deflate, br.*, got /);
    }
  }
});

test('the decompressed size of a body counts against the budget', async (t) => {
  const send = await serveEchoes(t, { bodyBudget: createBodyBudget(100_000) });
  for (const path of ['whole', 'read', 'streamed']) {
    const large = await send(path, zlib.gzipSync(bodyOf(90_000)), 'gzip');
    assert.equal(large.status, 503, path);
    await large.arrayBuffer();
    const small = await send(path, zlib.gzipSync(bodyOf(40_000)), 'gzip');
    assert.deepEqual(await small.json(), { length: 40_000 }, path);
  }
});

for (const [path, encoding] of [
  ['whole', 'gzip'],
  ['read', 'gzip'],
  ['read', 'identity'],
] as const) {
  test(`the budget ends a body with ${encoding} that stays away at /${path}`, async (t) => {
    const budget = createBodyBudget(400_000);
    let taken = 0;
    const open: BodyBudget['open'] = (owner) => {
      const share = budget.open(owner);
      const take = (bytes: number) => {
        share.take(bytes);
        taken += bytes;
      };
      return { ...share, take };
    };
    const url = await serveKoa(t, sampleRouter({ bodyBudget: { open } }, generalErrors, echoes));
    for (const organizationId of ['a', 'b', 'c', 'd']) {
      budget.open({ address: null, organizationId }).take(79_000);
    }
    const headers = as('owner', {
      'content-type': 'application/json',
      ...(encoding === 'gzip' ? { 'content-encoding': encoding } : {}),
      'content-length': String(LIMIT),
    });
    const outgoing = request(`${url}/${path}`, { method: 'POST', headers });
    const response = once(outgoing, 'response');
    const compressor = zlib.createGzip();
    compressor.on('data', (chunk) => outgoing.write(chunk));
    if (encoding === 'gzip') {
      compressor.write(bodyOf(80_000));
      compressor.flush();
    } else outgoing.write(bodyOf(80_000));
    while (taken < 80_000) await new Promise(setImmediate);
    budget.open({ address: null, organizationId: 'newcomer' }).take(50_000);
    const [answer] = await response;
    answer.resume();
    assert.deepEqual([answer.statusCode, answer.headers.connection], [503, 'close']);
    outgoing.destroy();
  });
}
