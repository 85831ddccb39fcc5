import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import type { Middleware } from 'koa';
import { systemClock } from '../../src/clock.ts';
import { createApplicationMiddleware } from '../../src/http/application.ts';
import { endpoint } from '../../src/http/endpoint.ts';
import { platformErrors } from '../../src/http/error-format.ts';
import { createHostHandlers } from '../../src/http/host.ts';
import type { EndpointGroup, GroupRouting } from '../../src/http/openapi.ts';
import { createIds } from '../../src/ids.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import { addressOf, as, authenticateByRole, koaOf, serveKoa } from '../../src/testing/http.ts';
import { asOwnerJson, errorOf, exchange, sampleRouter } from './sample.ts';

test('a known path with another method is 405 with what it allows', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const cases = [
    ['PUT', '/things', 'GET, HEAD, POST'],
    ['POST', '/things/1', 'DELETE, GET, HEAD'],
    ['OPTIONS', '/open', 'GET, HEAD'],
  ] as const;
  for (const [method, path, allow] of cases) {
    const response = await fetch(url + path, { method, headers: as('owner') });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), allow);
    assert.equal((await errorOf(response)).code, 'METHOD_NOT_ALLOWED');
  }
});

test('HEAD is answered like GET, without a body', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const answer = await exchange(
    url,
    'HEAD /things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner.org_1\r\nX-Request-Id: req_12345678\r\nConnection: close\r\n\r\n',
  );
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /\r\nContent-Length: [1-9]\d*\r\n/i);
  assert.ok(answer.endsWith('\r\n\r\n'));
});

test('a router passes requests for unknown paths on to the host', async (t) => {
  const url = await serveKoa(t, sampleRouter({ prefix: '/api' }), (ctx) => {
    ctx.body = `host: ${ctx.path}`;
  });
  for (const path of [
    '/',
    '/things',
    '/api',
    '/api/unknown',
    '/api/things/',
    '/api/things/1/2',
    '/apix/things',
  ]) {
    assert.equal(await (await fetch(url + path)).text(), `host: ${path}`);
  }
});

test('parameters of a path are decoded', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const response = await fetch(`${url}/things/a%2Fb%20%C3%BC`, { headers: as('owner') });
  assert.deepEqual(await response.json(), { thing_id: 'a/b ü' });
  const malformed = await fetch(`${url}/things/%E0%A4%A`, { headers: as('owner') });
  assert.ok(malformed.status < 500, String(malformed.status));
  await malformed.arrayBuffer();
});

test('query parameters are validated within their bounds', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const ask = (query: string) => fetch(`${url}/things${query}`, { headers: as('owner') });
  const pageOf = async (query: string) =>
    ((await (await ask(query)).json()) as { query: object }).query;
  assert.deepEqual(await pageOf(''), { limit: 50, offset: 0 });
  assert.deepEqual(await pageOf('?limit=200&offset=7'), { limit: 200, offset: 7 });
  const bad = [
    'limit=0',
    'limit=201',
    'limit=-1',
    'limit=1.5',
    'limit=1e2',
    'limit=',
    'limit=%20',
    'offset=-1',
    'offset=9999999999999999',
  ];
  for (const query of bad) {
    const response = await ask(`?${query}`);
    assert.equal(response.status, 422, query);
    const { details } = await errorOf(response);
    assert.equal(details?.[0]?.field, query.split('=')[0]);
  }
  const unknown = await ask('?lmit=5');
  assert.equal(unknown.status, 422);
  assert.equal((await errorOf(unknown)).details?.[0]?.field, 'lmit');
});

test('an unknown query parameter of an authenticated endpoint is refused by name', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const cases = [
    ['GET', '/things'],
    ['GET', '/things/1'],
    ['POST', '/things'],
    ['DELETE', '/things/1'],
  ];
  for (const [method = '', path] of cases) {
    const body = method === 'POST' ? '{"name":"a"}' : null;
    const init = { method, headers: asOwnerJson, body };
    const response = await fetch(`${url}${path}?nonsense=1`, init);
    assert.equal(response.status, 422, `${method} ${path}`);
    assert.deepEqual((await errorOf(response)).details, [
      { field: 'nonsense', message: 'is not a known field' },
    ]);
  }
  assert.equal((await fetch(`${url}/open?nonsense=1`)).status, 200);
});

test('a repeated query parameter is refused by name', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const response = await fetch(`${url}/things?limit=5&limit=6`, { headers: as('owner') });
  assert.equal(response.status, 400);
  const { code, details } = await errorOf(response);
  assert.equal(code, 'INVALID_REQUEST');
  assert.deepEqual(details, [{ field: 'limit', message: 'must be given once' }]);
});

test('two routers share an application under their own prefixes and error formats', async (t) => {
  const url = await serveKoa(
    t,
    sampleRouter({ prefix: '/a' }, platformErrors),
    sampleRouter({ prefix: '/b' }),
  );
  const platform = (await (await fetch(`${url}/a/things`)).json()) as { code: number };
  assert.equal(platform.code, 401);
  assert.equal((await errorOf(await fetch(`${url}/b/things`))).statusCode, 401);
  const wrong = await fetch(`${url}/b/things`, { method: 'PUT', headers: as('owner') });
  assert.equal((await errorOf(wrong)).statusCode, 405);
});

test('a plain node:http server hosts a router behind its own routes', async (t) => {
  const callback = koaOf(sampleRouter({ prefix: '/governance/api' })).callback();
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/governance/')) void callback(request, response);
    else response.end('host');
  });
  const url = await addressOf(t, server.listen(0, '127.0.0.1'));
  assert.equal(await (await fetch(`${url}/other`)).text(), 'host');
  const created = await fetch(`${url}/governance/api/things`, {
    method: 'POST',
    headers: asOwnerJson,
    body: '{"name":"a"}',
  });
  assert.equal(created.status, 201);
  await created.arrayBuffer();
  assert.equal((await fetch(`${url}/governance/api/things`)).status, 401);
});

test('an application of endpoint routers answers unknown paths in the error format of the path', async (t) => {
  const fallback = createApplicationMiddleware({
    errorFormatOf: (path) =>
      path.startsWith('/v1')
        ? platformErrors
        : { ...platformErrors, contentType: 'application/problem+json' },
    clock: systemClock,
    ids: createIds(),
    logger: silentLogger,
  });
  const url = await serveKoa(t, fallback, sampleRouter({ prefix: '/v1' }), (ctx, next) => {
    if (ctx.path === '/throws') throw new Error('password=hunter2');
    return next();
  });
  const unknown = await fetch(`${url}/v1/nothing`, {
    headers: { 'x-request-id': 'own-request-id' },
  });
  assert.equal(unknown.status, 404);
  assert.equal(unknown.headers.get('x-request-id'), 'own-request-id');
  assert.equal(unknown.headers.get('server'), 'Probity-API/v1');
  assert.deepEqual(await unknown.json(), {
    error: 'not_found',
    message: 'No route matches /v1/nothing.',
    code: 404,
    request_id: 'own-request-id',
  });
  const thrown = await fetch(`${url}/throws`);
  assert.equal(thrown.status, 500);
  assert.equal(thrown.headers.get('content-type'), 'application/problem+json');
  assert.doesNotMatch(await thrown.text(), /hunter2/);
  assert.equal((await fetch(`${url}/v1/open`)).status, 200);
});

test('lenient matching ignores letter case and a slash at the end of a path', async (t) => {
  const url = await serveKoa(t, sampleRouter({ matching: 'lenient' }));
  for (const path of ['/things', '/things/', '/things/1/', '/Things', '/THINGS/1']) {
    assert.equal((await fetch(url + path, { headers: as('owner') })).status, 200, path);
  }
});

test('an observer is told of requests of known callers, and of no others', async (t) => {
  const seen: unknown[] = [];
  const router = sampleRouter({
    observe: ({ principal, method, path, status, error }) =>
      void seen.push([principal.role, method, path, status, error?.kind ?? null]),
  });
  const url = await serveKoa(t, router);
  await fetch(`${url}/things?limit=1`, { headers: as('owner') });
  await fetch(`${url}/things?limit=0`, { headers: as('owner') });
  await fetch(`${url}/things`);
  await fetch(`${url}/open`);
  assert.deepEqual(seen, [
    ['owner', 'GET', '/things?limit=1', 200, null],
    ['owner', 'GET', '/things?limit=0', 422, 'validation_failed'],
  ]);
});

test('a host is told of every failure of an endpoint, of unknown callers too', async (t) => {
  const seen: unknown[] = [];
  const router = sampleRouter({
    onFailure: ({ principal, operationId, requestId, error }) =>
      void seen.push([principal?.role, operationId, requestId, error.kind]),
  });
  const url = await serveKoa(t, router);
  await fetch(`${url}/things?limit=1`, { headers: as('owner') });
  const headers = { 'X-Request-Id': 'request-1' };
  await fetch(`${url}/things?limit=0`, { headers: { ...as('owner'), ...headers } });
  await fetch(`${url}/things`, { headers });
  assert.deepEqual(seen, [
    ['owner', 'listThings', 'request-1', 'validation_failed'],
    [undefined, 'listThings', 'request-1', 'unauthorized'],
  ]);
});

test('a group may have an authentication of its own, which takes no other credentials', async (t) => {
  const own = endpoint({
    method: 'GET',
    path: '/own',
    operationId: 'getOwn',
    summary: 'Own',
    tag: 'Own',
    permission: 'alerts:read',
    rateLimit: 'none',
    responses: { 200: { description: 'Empty' } },
    handler: async ({ reply }) => reply(200),
  });
  const caller = { organizationId: 'org_1', memberId: 'idp', role: 'admin' } as const;
  const group = (prefix: string, routing?: GroupRouting): EndpointGroup => ({
    prefix,
    errorFormat: platformErrors,
    endpoints: [{ ...own, operationId: `getOwn${prefix.slice(1)}` }],
    ...(routing && { routing }),
  });
  const authenticate: GroupRouting['authenticate'] = ({ token }) =>
    token === 'idp' ? caller : null;
  const { koa } = createHostHandlers([group('/a'), group('/b', { authenticate })], {
    mount: '',
    isMountAssumed: false,
    authenticate: authenticateByRole,
  });
  const url = await serveKoa(t, koa as Middleware);
  const statuses = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return [
      (await fetch(`${url}/a/own`, { headers })).status,
      (await fetch(`${url}/b/own`, { headers })).status,
    ];
  };
  assert.deepEqual(await statuses('owner.org_1'), [200, 401]);
  assert.deepEqual(await statuses('idp'), [401, 200]);
});
