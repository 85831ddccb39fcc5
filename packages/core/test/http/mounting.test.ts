import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { z } from 'zod';
import { endpoint } from '../../src/http/endpoint.ts';
import { generalErrors } from '../../src/http/error-format.ts';
import { createEndpointMiddleware } from '../../src/http/router.ts';
import { as, authenticateByRole, collectRequests, serveKoa } from '../../src/testing/http.ts';
import { asOwnerJson, errorOf, sampleEndpoints, sampleRouter } from './sample.ts';

/** Hands what is under `prefix` to `inner` with the rest of the path, as koa-mount does. */
function mount(prefix: string, inner: Middleware): Middleware {
  return async (ctx, next) => {
    const { path } = ctx;
    if (!path.startsWith(`${prefix}/`)) return next();
    ctx.path = path.slice(prefix.length);
    await inner(ctx, async () => {
      ctx.path = path;
      await next();
      ctx.path = path.slice(prefix.length);
    });
    ctx.path = path;
  };
}

/** A host's own router with a page of its own and ours nested under its prefix. */
function hostRouter(prefix: string, inner: Router): Router {
  const host = new Router({ prefix });
  host.get('/page', (ctx) => {
    ctx.body = `page of ${JSON.stringify(ctx.params)}`;
  });
  host.use('/probity', inner.routes());
  return host;
}

const fallback: Middleware = (ctx) => {
  ctx.status = 200;
  ctx.body = `host: ${ctx.path}`;
};

const textOf = async (url: string) => (await fetch(url, { headers: as('owner') })).text();

test("a router works nested in a host's prefixed router, and passes other paths on", async (t) => {
  const url = await serveKoa(t, hostRouter('/tenants/:tenant', sampleRouter()), fallback);
  const base = `${url}/tenants/acme/probity`;
  assert.deepEqual(JSON.parse(await textOf(`${base}/things/7`)), { thing_id: '7' });
  const created = await fetch(`${base}/things`, {
    method: 'POST',
    headers: asOwnerJson,
    body: '{"name":"a"}',
  });
  assert.equal(created.status, 201);
  assert.equal(await textOf(`${url}/tenants/acme/page`), 'page of {"tenant":"acme"}');
  assert.equal(await textOf(`${base}/unknown`), 'host: /tenants/acme/probity/unknown');
  assert.equal(await textOf(base), 'host: /tenants/acme/probity');
  const put = { method: 'PUT', headers: as('owner') };
  const served = await fetch(`${base}/things/7`, put);
  assert.equal(await served.text(), 'host: /tenants/acme/probity/things/7');
  const bare = await serveKoa(t, hostRouter('/tenants/:tenant', sampleRouter()));
  const wrong = await fetch(`${bare}/tenants/acme/probity/things/7`, put);
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'DELETE, GET, HEAD');
  assert.match((await errorOf(wrong)).message, /^\/tenants\/acme\/probity\/things\/7 does not/);
});

test("parameters of the host's prefix are not parameters of an endpoint, whatever their name", async (t) => {
  const seen: unknown[] = [];
  const noParams = endpoint({
    method: 'GET',
    path: '/things/{thing_id}',
    operationId: 'getThing',
    summary: 'Get',
    tag: 'Things',
    permission: 'alerts:read',
    rateLimit: 'general',
    params: z.strictObject({ thing_id: z.string() }),
    responses: { 204: { description: 'Nothing' } },
    handler: async ({ params, reply }) => {
      seen.push({ ...params });
      return reply(204);
    },
  });
  const router = sampleRouter({}, generalErrors, [noParams]);
  for (const name of ['thing_id', 'org_id', 'endpoint']) {
    const url = await serveKoa(t, hostRouter(`/tenants/:${name}`, router));
    const path = `${url}/tenants/org_9/probity/things/7`;
    const response = await fetch(path, { headers: as('owner') });
    assert.equal(response.status, 204, name);
  }
  assert.deepEqual(seen, [{ thing_id: '7' }, { thing_id: '7' }, { thing_id: '7' }]);
});

test("the host's middleware keeps its own parameters behind a router that does not match", async (t) => {
  const host = hostRouter('/tenants/:tenant', sampleRouter());
  host.get('/probity/own', (ctx) => {
    ctx.body = JSON.stringify(ctx.params);
  });
  const url = await serveKoa(t, host);
  assert.equal(await textOf(`${url}/tenants/acme/probity/own`), '{"tenant":"acme"}');
});

test('an encoded slash stays within its parameter however the router is mounted', async (t) => {
  const path = '/things/a%2Fb%20%C3%BC';
  const expected = JSON.stringify({ thing_id: 'a/b ü' });
  const prefixed = await serveKoa(t, sampleRouter({ prefix: '/api' }));
  assert.equal(await textOf(`${prefixed}/api${path}`), expected);
  const nested = await serveKoa(t, hostRouter('/tenants/:tenant', sampleRouter()));
  assert.equal(await textOf(`${nested}/tenants/a%2Fb/probity${path}`), expected);
  const mounted = await serveKoa(t, mount('/mounted', sampleRouter().routes() as Middleware));
  assert.equal(await textOf(`${mounted}/mounted${path}`), expected);
});

test('one router is mounted several times in one application, and in two', async (t) => {
  const router = sampleRouter();
  const url = await serveKoa(
    t,
    hostRouter('/a', router),
    hostRouter('/b', router),
    mount('/c', router.routes() as Middleware),
    fallback,
  );
  const other = await serveKoa(t, router);
  const bases = [`${url}/a/probity`, `${url}/b/probity`, `${url}/c`, other];
  for (const base of bases) {
    assert.deepEqual(JSON.parse(await textOf(`${base}/things/7`)), { thing_id: '7' }, base);
  }
  assert.equal(await textOf(`${url}/c/unknown`), 'host: /c/unknown');
});

test('metrics name a request by the pattern of its path, below that of the mount', async (t) => {
  const { metrics, requests } = collectRequests();
  const router = sampleRouter({ metrics });
  const url = await serveKoa(t, hostRouter('/tenants/:tenant', router));
  await textOf(`${url}/tenants/acme/probity/things/7`);
  assert.deepEqual(
    requests.map(({ path }) => path),
    ['/tenants/:tenant/probity/things/{thing_id}'],
  );
});

test('a prefix is exact in case and ends at a slash', async (t) => {
  const url = await serveKoa(t, sampleRouter({ prefix: '/api' }), fallback);
  for (const path of ['/API/things/7', '/apix/things/7', '/api/things/7/']) {
    assert.equal(await textOf(url + path), `host: ${path}`);
  }
});

test('plain middleware serves only paths that continue with a slash after its prefix', async (t) => {
  const authenticate = authenticateByRole;
  const options = { authenticate, prefix: '/api' };
  const served = createEndpointMiddleware(sampleEndpoints(), generalErrors, options);
  const url = await serveKoa(t, served, fallback);
  assert.equal(await textOf(`${url}/api/things/7`), '{"thing_id":"7"}');
  const outside = [
    '/api',
    '/apixthings/7',
    '/apithings/7',
    '/api-/things/7',
    '/apihttps://q/things/7',
  ];
  for (const path of outside) assert.equal(await textOf(url + path), `host: ${path}`);
});

const putThing = endpoint({
  method: 'PUT',
  path: '/things/{thing_id}',
  operationId: 'putThing',
  summary: 'Put',
  tag: 'Things',
  permission: 'webhooks:write',
  rateLimit: 'general',
  params: z.strictObject({ thing_id: z.string() }),
  responses: { 204: { description: 'Nothing' } },
  handler: async ({ reply }) => reply(204),
});

test('a method that one router lacks is served by a later router or by the host', async (t) => {
  const host = new Router({ prefix: '/api' });
  host.use(sampleRouter().routes());
  host.use(sampleRouter({}, generalErrors, [putThing]).routes());
  host.post('/things/search', (ctx) => {
    ctx.body = 'found by the host';
  });
  const url = await serveKoa(t, host);
  const send = (method: string, path: string) =>
    fetch(`${url}/api/things/${path}`, { method, headers: as('owner') });
  assert.equal((await send('PUT', '7')).status, 204);
  const found = await send('POST', 'search');
  assert.equal(await found.text(), 'found by the host');
  assert.equal(found.headers.get('server'), null);
  const refused = await send('PATCH', '7');
  assert.equal(refused.status, 405);
  assert.equal(refused.headers.get('allow'), 'DELETE, GET, HEAD, PUT');
  assert.match((await errorOf(refused)).message, /it supports DELETE, GET, HEAD, PUT\.$/);
});

test('an answer of the host without a body or with status 404 is not replaced by a 405', async (t) => {
  const empty: Middleware = (ctx) => {
    ctx.status = 204;
  };
  const missing: Middleware = (ctx) => {
    ctx.status = 404;
    ctx.body = 'missing';
  };
  for (const [last, status] of [
    [empty, 204],
    [missing, 404],
  ] as const) {
    const url = await serveKoa(t, sampleRouter(), last);
    const response = await fetch(`${url}/things/7`, { method: 'PUT', headers: as('owner') });
    assert.deepEqual([response.status, response.headers.get('allow')], [status, null]);
  }
});
