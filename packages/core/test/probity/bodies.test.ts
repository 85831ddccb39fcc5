import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { addressOf } from '../../src/testing/http.ts';
import { connectHttp2, createNotes } from './world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

test('a compressed body is decompressed once, by the host or by Probity', async (t) => {
  const probity = createNotes();
  t.after(() => probity.stop());
  const host = createServer(async (request, response) => {
    if (request.headers['x-parser']) {
      const body = gunzipSync(Buffer.concat(await request.toArray()));
      Object.assign(request, { body: JSON.parse(body.toString()) });
    }
    probity.node(request, response);
  });
  const url = `${await addressOf(t, host.listen(0, '127.0.0.1'))}/probity/notes`;
  const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  const init = { method: 'POST', body: gzipSync('{"text":"a"}') };
  const used = await fetch(url, { ...init, headers: { ...headers, 'x-parser': 'yes' } });
  assert.deepEqual([used.status, await used.json()], [201, { text: 'a' }]);
  const ours = await fetch(url, { ...init, headers });
  assert.deepEqual([ours.status, await ours.json()], [201, { text: 'a' }]);
});

/** Sends a POST over HTTP/2; the headers end the stream when there is no body. */
async function post(t: TestContext, headers: object, body?: string) {
  const probity = createNotes();
  t.after(() => probity.stop());
  const client = await connectHttp2(t, probity.node as never);
  const head = { ':method': 'POST', ':path': '/probity/notes', ...headers };
  const stream = client.request(head, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const status = new Promise((resolve, reject) => {
    stream.on('response', (found) => resolve(found[':status'])).on('error', reject);
  });
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  return [await status, text] as const;
}

test('over HTTP/2 a body needs no Content-Length', async (t) => {
  assert.deepEqual(await post(t, JSON_TYPE, '{"text":"a"}'), [201, '{"text":"a"}']);
  const [withLength] = await post(t, { ...JSON_TYPE, 'content-length': '12' }, '{"text":"a"}');
  assert.equal(withLength, 201);
  const [tooLarge] = await post(t, JSON_TYPE, `{"text":"${'a'.repeat(1_048_576)}"}`);
  assert.equal(tooLarge, 413);
});

test('over HTTP/2 a request without a body is answered 400', async (t) => {
  for (const headers of [{}, JSON_TYPE]) {
    const [status, text] = await post(t, headers);
    assert.equal(status, 400);
    assert.match(text, /needs a JSON body/);
  }
  const [empty] = await post(t, {}, '');
  assert.equal(empty, 400);
});

test('a body that the host has stopped reading is answered 500 and logged with its cause', async (t) => {
  const failures: unknown[] = [];
  const error = (_message: string, fields?: object) => failures.push(fields);
  const probity = createNotes({ logger: { debug() {}, info() {}, warn() {}, error } });
  t.after(() => probity.stop());
  const host = createServer(async (request, response) => {
    for await (const _chunk of request) break;
    probity.node(request, response);
  });
  const url = `${await addressOf(t, host.listen(0, '127.0.0.1'))}/probity/notes`;
  const { status } = await fetch(url, { method: 'POST', headers: JSON_TYPE, body: '{"text":"a"}' });
  assert.equal(status, 500);
  assert.match(String((failures[0] as { error: Error }).error), /A body parser has read/);
});

test('a body that the host of probity.fetch has read is answered 500 and logged', async (t) => {
  const failures: unknown[] = [];
  const error = (_message: string, fields?: object) => failures.push(fields);
  const logger = { debug() {}, info() {}, warn() {}, error };
  const probity = createNotes({ logger });
  t.after(() => probity.stop());
  const init = { method: 'POST', headers: JSON_TYPE, body: '{"text":"a"}' };
  const request = new Request('http://host/probity/notes', init);
  await request.text();
  assert.equal((await probity.fetch(request)).status, 500);
  assert.match(String((failures[0] as { error: Error }).error), /A body parser has read/);
});
