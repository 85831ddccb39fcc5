import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { addressOf } from '../../src/testing/http.ts';
import { connectHttp2, createNotes } from './world.ts';

type Options = Parameters<typeof createNotes>[0];

/** Serves over HTTP; returns the status of a change by cookie with the given headers. */
async function changing(t: TestContext, options?: Options) {
  const probity = createNotes(options);
  t.after(() => probity.stop());
  const url = await addressOf(t, createServer(probity.node).listen(0, '127.0.0.1'));
  return async (headers: Record<string, string>) => {
    const json = { 'content-type': 'application/json', cookie: 'sid=1' };
    const init = { method: 'POST', headers: { ...json, ...headers }, body: '{"text":"a"}' };
    return (await fetch(`${url}/probity/notes`, init)).status;
  };
}

test('a page of the public URL may change something behind a proxy that replaces Host', async (t) => {
  const status = await changing(t, { baseUrl: 'https://app.example/any' });
  assert.equal(await status({ origin: 'https://app.example' }), 201);
  assert.equal(await status({ origin: 'http://app.example' }), 403);
  assert.equal(await status({ origin: 'https://app.example:8443' }), 403);
  assert.equal(await status({ origin: 'https://app.example.evil' }), 403);
  assert.equal(await status({ origin: 'null' }), 403);
  const site = { 'sec-fetch-site': 'cross-site' };
  assert.equal(await status({ origin: 'https://app.example', ...site }), 403);
});

test('X-Forwarded-Host names the own origin when a trusted proxy sent it', async (t) => {
  const status = await changing(t, { trustedProxies: '127.0.0.0/8' });
  const forwarded = { 'x-forwarded-host': 'app.example:443, inner' };
  assert.equal(await status({ origin: 'https://app.example', ...forwarded }), 201);
  assert.equal(await status({ origin: 'https://app.example:8443', ...forwarded }), 403);
  assert.equal(await status({ origin: 'https://inner', ...forwarded }), 403);
  assert.equal(await status({ origin: 'https://evil.example', ...forwarded }), 403);
  assert.equal(await status({ origin: 'https://app.example' }), 403);
  assert.equal(await status({ origin: 'https://app.example', 'x-forwarded-host': '[' }), 403);
});

test('X-Forwarded-Host of any other sender names no origin', async (t) => {
  const status = await changing(t, { trustedProxies: '10.0.0.0/8' });
  const forwarded = { 'x-forwarded-host': 'app.example' };
  assert.equal(await status({ origin: 'https://app.example', ...forwarded }), 403);
  const probity = createNotes({ trustedProxies: '127.0.0.0/8, ::/0' });
  t.after(() => probity.stop());
  const headers = { origin: 'https://app.example', 'content-type': 'application/json' };
  const init = { method: 'POST', headers: { ...headers, ...forwarded }, body: '{"text":"a"}' };
  assert.equal((await probity.fetch(new Request('http://host/probity/notes', init))).status, 403);
});

test('over HTTP/2 the own origin is that of :authority', async (t) => {
  const probity = createNotes();
  t.after(() => probity.stop());
  const client = await connectHttp2(t, probity.node as never);
  const status = (origin: string) => {
    const body = '{"text":"a"}';
    const head = { ':method': 'POST', ':path': '/probity/notes', ':authority': 'app.example' };
    const content = { 'content-type': 'application/json', 'content-length': String(body.length) };
    const stream = client.request({ ...head, ...content, origin });
    return new Promise<unknown>((resolve, reject) => {
      stream.on('response', (headers) => resolve(headers[':status'])).on('error', reject);
      stream.resume().end(body);
    });
  };
  assert.equal(await status('http://app.example'), 201);
  assert.equal(await status('http://evil.example'), 403);
});
