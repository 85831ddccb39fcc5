import assert from 'node:assert/strict';
import { get } from 'node:http';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import { createOpenApiDocument } from '../../src/http/openapi.ts';
import { serveKoa } from '../../src/testing/http.ts';
import { sampleRouter } from './sample.ts';

const shared = {
  method: 'GET',
  summary: 'Get',
  tag: 'Kept',
  permission: 'public',
  rateLimit: 'none',
  caching: 'revalidate',
} as const;

const PAGE = Buffer.from('<p>ü</p>');

function endpointsOf(current: { body: { text: string } }) {
  return [
    endpoint({
      ...shared,
      path: '/kept',
      operationId: 'getKept',
      responses: { 200: { description: 'Kept', schema: z.strictObject({ text: z.string() }) } },
      handler: async ({ reply }) => reply(200, current.body),
    }),
    endpoint({
      ...shared,
      path: '/page',
      operationId: 'getPage',
      responses: { 200: { description: 'A page', mediaType: 'text/html' } },
      handler: async ({ reply }) => reply.bytes('text/html; charset=utf-8', PAGE),
    }),
  ];
}

/** Asks without the decompression of fetch. */
function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status?: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      get(url, { headers, method }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { statusCode: status = 0 } = response;
        resolve({ status, headers: response.headers, bytes: Buffer.concat(chunks) });
      }).on('error', reject);
    },
  );
}

async function createWorld(t: TestContext) {
  const current = { body: { text: 'a'.repeat(1_000) } };
  const url = await serveKoa(t, sampleRouter({}, generalErrors, endpointsOf(current)));
  return { current, url: `${url}/kept`, page: `${url}/page` };
}

test('a response that clients keep is compressed only for those that accept gzip', async (t) => {
  const { url, current } = await createWorld(t);
  for (const accepted of ['', 'identity', 'br', 'gzip;q=0', 'identity, gzip;q=0.5']) {
    const { headers, bytes } = await ask(url, accepted ? { 'accept-encoding': accepted } : {});
    assert.equal(headers['content-encoding'], undefined, accepted);
    assert.deepEqual(JSON.parse(bytes.toString()), current.body);
  }
  for (const accepted of ['gzip', 'br, gzip', '*']) {
    const { headers, bytes } = await ask(url, { 'accept-encoding': accepted });
    assert.deepEqual(
      [headers['content-encoding'], headers.vary, headers['cache-control']],
      ['gzip', 'Accept-Encoding', 'no-cache'],
    );
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.ok(bytes.length < 100);
    assert.deepEqual(JSON.parse(gunzipSync(bytes).toString()), current.body);
  }
});

test('a request with the current tag is answered 304 without a body, until the response changes', async (t) => {
  const { url, current } = await createWorld(t);
  const [plain, gzip] = [await ask(url), await ask(url, { 'accept-encoding': 'gzip' })];
  const [tag, gzipTag] = [String(plain.headers.etag), String(gzip.headers.etag)];
  assert.match(tag, /^"[\w-]{22}"$/);
  assert.notEqual(tag, gzipTag);
  for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const { status, headers, bytes } = await ask(url, { 'if-none-match': condition });
    assert.deepEqual([status, bytes.length, headers.etag], [304, 0, tag], condition);
    assert.equal(headers['content-type'], undefined);
  }
  const compressed = { 'accept-encoding': 'gzip', 'if-none-match': gzipTag };
  assert.equal((await ask(url, compressed)).status, 304);
  for (const other of [gzipTag, '"other"', '']) {
    assert.equal((await ask(url, { 'if-none-match': other })).status, 200, other);
  }
  current.body = { text: 'new' };
  const changed = await ask(url, { 'if-none-match': tag });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.etag, tag);
});

test('bytes are kept like JSON, and HEAD has the headers of GET', async (t) => {
  const { page } = await createWorld(t);
  const { headers, bytes } = await ask(page);
  assert.deepEqual([headers['content-type'], bytes], ['text/html; charset=utf-8', PAGE]);
  const head = await ask(page, {}, 'HEAD');
  assert.deepEqual([head.status, head.headers.etag, head.bytes.length], [200, headers.etag, 0]);
});

test('caching is documented by 304, and refused for other methods than GET', () => {
  const endpoints = endpointsOf({ body: { text: '' } });
  const group = { prefix: '', errorFormat: generalErrors, endpoints };
  // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
  const { paths } = createOpenApiDocument({ title: 'T', version: '1' }, [group]) as any;
  const { 304: notModified } = paths['/kept'].get.responses;
  assert.deepEqual(notModified, { $ref: '#/components/responses/NotModified' });
  const post = endpoint({
    ...shared,
    method: 'POST',
    path: '/kept',
    operationId: 'postKept',
    responses: { 204: { description: 'Nothing' } },
    handler: async ({ reply }) => reply(204),
  });
  assert.throws(() => sampleRouter({}, generalErrors, [post]), /postKept declares caching/);
});
