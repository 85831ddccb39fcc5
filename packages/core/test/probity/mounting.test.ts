import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { PATIENCE_MS } from '@probity/test-support';
import Koa from 'koa';
import { addressOf, serveKoa } from '../../src/testing/http.ts';
import { createNotes } from './world.ts';

/** A host on node:http that removes the mount from the URL, as Express does. */
function express(probity: ReturnType<typeof createNotes>, mount = '/probity'): RequestListener {
  return (request, response) => {
    const own = () => response.end('host');
    if (!request.url?.startsWith(mount)) {
      own();
      return;
    }
    Object.assign(request, { originalUrl: request.url });
    request.url = request.url.slice(mount.length) || '/';
    probity.node(request, response, own);
  };
}

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  return addressOf(t, createServer(listener).listen(0, '127.0.0.1'));
}

async function get(url: string, method = 'GET'): Promise<readonly [number, string]> {
  const response = await fetch(url, { method });
  return [response.status, await response.text()];
}

const CALLER = '{"organizationId":"acme","memberId":"ann"}';

test('a handler under a removed mount serves its paths and passes on the others', async (t) => {
  const probity = createNotes();
  t.after(() => probity.stop());
  const url = await serve(t, express(probity));
  assert.deepEqual(await get(`${url}/probity/caller`), [200, CALLER]);
  assert.deepEqual(await get(`${url}/probity/other`), [200, 'host']);
  assert.deepEqual(await get(`${url}/other`), [200, 'host']);
});

test('a known path with another method is answered 405 with Allow', async (t) => {
  const probity = createNotes();
  t.after(() => probity.stop());
  const url = await serve(t, express(probity));
  const response = await fetch(`${url}/probity/notes`, { method: 'DELETE' });
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST']);
});

test('a handler without a host behind it answers unknown paths with 404', async (t) => {
  const probity = createNotes();
  t.after(() => probity.stop());
  const url = await serve(t, (request, response) => probity.node(request, response));
  assert.deepEqual(await get(`${url}/probity/caller`), [200, CALLER]);
  const [status, body] = await get(`${url}/caller`);
  assert.deepEqual([status, JSON.parse(body).error.code], [404, 'RESOURCE_NOT_FOUND']);
});

test('with a mount, only the paths below it are served', async (t) => {
  const probity = createNotes({ mount: '/ai' });
  t.after(() => probity.stop());
  const url = await serve(t, (request, response) =>
    probity.node(request, response, () => response.end('host')),
  );
  assert.deepEqual(await get(`${url}/ai/caller`), [200, CALLER]);
  assert.deepEqual(await get(`${url}/caller`), [200, 'host']);
  assert.deepEqual(await get(`${url}/probity/caller`), [200, 'host']);
  assert.deepEqual(await get(`${url}/aix/caller`), [200, 'host']);
  const removed = await serve(t, express(probity, '/ai'));
  assert.deepEqual(await get(`${removed}/ai/caller`), [200, CALLER]);
});

test('an empty mount is the root', async (t) => {
  const probity = createNotes({ mount: '' });
  t.after(() => probity.stop());
  const url = await serve(t, (request, response) =>
    probity.node(request, response, () => response.end('host')),
  );
  assert.deepEqual(await get(`${url}/caller`), [200, CALLER]);
  assert.deepEqual(await get(`${url}/probity/caller`), [200, 'host']);
  const removed = await serve(t, express(probity, '/any'));
  assert.deepEqual(await get(`${removed}/any/caller`), [200, CALLER]);
});

test('Koa middleware serves its paths and passes on the others', async (t) => {
  const probity = createNotes();
  t.after(() => probity.stop());
  const url = await serveKoa(t, probity.koa(), async (ctx) => {
    ctx.body = 'host';
  });
  assert.deepEqual(await get(`${url}/probity/caller`), [200, CALLER]);
  assert.deepEqual(await get(`${url}/probity/other`), [200, 'host']);
  // The host may have a path of the same name.
  assert.deepEqual(await get(`${url}/caller`), [200, 'host']);
});

for (const [name, keep] of [
  ['as a value in request.body', (body: string) => ({ body: JSON.parse(body) })],
  ['as a text in request.body', (body: string) => ({ body })],
  ['as bytes in request.rawBody', (body: string) => ({ body: {}, rawBody: Buffer.from(body) })],
] as const) {
  test(`a body that the host has parsed and kept ${name} is used`, async (t) => {
    const probity = createNotes();
    t.after(() => probity.stop());
    const url = await serve(t, parsing(probity, keep));
    const response = await post(url, { text: 'kept' });
    assert.deepEqual([response.status, await response.json()], [201, { text: 'kept' }]);
    assert.equal((await post(url, { other: 1 })).status, 422);
  });
}

test('a parsed body is checked like one that Probity reads', async (t) => {
  const probity = createNotes();
  t.after(() => probity.stop());
  const url = await serve(
    t,
    parsing(probity, (body) => ({ body: JSON.parse(body) })),
  );
  const response = await post(url, { text: 'a\u0000b' });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /U\+0000/);
});

test('a body that the host has read and not kept is answered 500 at once', async (t) => {
  const errors: unknown[] = [];
  const logger = {
    debug() {},
    info() {},
    warn() {},
    error: (...each: unknown[]) => errors.push(each),
  };
  const probity = createNotes({ logger: logger as never });
  t.after(() => probity.stop());
  const url = await serve(
    t,
    parsing(probity, () => ({})),
  );
  assert.equal((await post(url, { text: 'lost' })).status, 500);
  assert.match(JSON.stringify(errors, errorText), /A body parser has read the request/);
});

function errorText(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}

/** A host whose body parser runs before Probity. */
function parsing(
  probity: ReturnType<typeof createNotes>,
  keep: (body: string) => object,
): RequestListener {
  return async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    Object.assign(request, keep(body));
    probity.node(request, response);
  };
}

function post(url: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return fetch(`${url}/probity/notes`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
}

test('a failure in a router without a logger is emitted on the Koa application', async (t) => {
  const { sampleRouter } = await import('../http/sample.ts');
  const app = new Koa();
  const emitted: unknown[] = [];
  app.on('error', (error: Error) => emitted.push(error.message));
  const authenticate = async () => {
    throw new Error('the user table is gone');
  };
  app.use(sampleRouter({ authenticate }).routes());
  const url = await addressOf(t, app.listen(0, '127.0.0.1'));
  assert.equal(
    (await fetch(`${url}/things`, { headers: { Authorization: 'Bearer a' } })).status,
    500,
  );
  assert.deepEqual(emitted, ['the user table is gone']);
});

test('docs: false serves neither the reference page nor the document, and passes their paths on', async (t) => {
  const probity = createNotes({ docs: false });
  t.after(() => probity.stop());
  const statusOf = async (path: string) =>
    (await probity.fetch(new Request(`http://host/probity${path}`))).status;
  for (const path of ['/docs', '/openapi.json', '/']) assert.equal(await statusOf(path), 404, path);
  assert.deepEqual([await statusOf('/caller'), await statusOf('/status')], [200, 200]);
  assert.ok('paths' in (probity.openapi() as object));

  const open = createNotes({ docs: true });
  t.after(() => open.stop());
  const served = await open.fetch(new Request('http://host/probity/docs'));
  assert.equal(served.status, 200);
  await served.body?.cancel();
});
