import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platformErrors, scimErrors } from '../../src/http/error-format.ts';
import { createLogger } from '../../src/logging/logger.ts';
import { as, collectRequests, serveKoa } from '../../src/testing/http.ts';
import { asOwnerJson, errorOf, sampleRouter } from './sample.ts';

test('every answer, good or bad, carries Server, nosniff and the request id, and no X-Powered-By', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const requests: ReadonlyArray<readonly [number, string, RequestInit]> = [
    [200, '/things', { headers: as('owner') }],
    [200, '/open', {}],
    [201, '/things', { method: 'POST', headers: asOwnerJson, body: '{"name":"a"}' }],
    [204, '/things/1', { method: 'DELETE', headers: as('owner') }],
    [400, '/things', { method: 'POST', headers: asOwnerJson, body: '{' }],
    [401, '/things', {}],
    [403, '/things/1', { method: 'DELETE', headers: as('viewer') }],
    [405, '/things', { method: 'PUT', headers: as('owner') }],
    [422, '/things', { method: 'POST', headers: asOwnerJson, body: '{}' }],
    [500, '/broken', { headers: as('owner') }],
  ];
  for (const [status, path, init] of requests) {
    const response = await fetch(url + path, init);
    assert.equal(response.status, status, path);
    assert.equal(response.headers.get('server'), 'Probity-API/v1');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(response.headers.get('x-request-id') ?? '', /^req_[0-9a-z]{26}$/);
    assert.equal(response.headers.get('x-powered-by'), null);
    if (status !== 204)
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    await response.arrayBuffer();
  }
});

test('a safe request id of the caller is kept everywhere, any other is replaced', async (t) => {
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const url = await serveKoa(t, sampleRouter({ logger }));
  const ask = (id: string) =>
    fetch(`${url}/things`, { headers: as('owner', { 'x-request-id': id }) });
  for (const id of ['12345678', 'trace-1/span:2+a=b@c.d_e', 'x'.repeat(128)]) {
    const response = await ask(id);
    assert.equal(response.headers.get('x-request-id'), id);
    assert.equal(((await response.json()) as { requestId: string }).requestId, id);
    assert.ok(lines.at(-1)?.includes(`"request_id":"${id}"`));
  }
  for (const id of [
    '1234567',
    'x'.repeat(129),
    'with space',
    'quote"12345',
    'semi;colon1',
    '<script>',
  ]) {
    const response = await ask(id);
    assert.match(response.headers.get('x-request-id') ?? '', /^req_/);
    await response.arrayBuffer();
  }
  const refused = await fetch(`${url}/things`, { headers: { 'x-request-id': 'refused-1' } });
  assert.equal((await errorOf(refused)).requestId, 'refused-1');
});

test('without a valid key the answer is 401 with WWW-Authenticate', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  for (const authorization of [
    undefined,
    '',
    'Basic abc',
    'Bearer',
    'Bearer  ',
    'Bearer a b',
    'owner.org_1',
  ]) {
    const response = await fetch(`${url}/things`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    assert.equal(response.status, 401, authorization);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer realm="probity-general"');
    assert.equal((await errorOf(response)).code, 'INVALID_API_KEY');
  }
  const wrong = await fetch(`${url}/things`, { headers: { authorization: 'Bearer nobody.org_1' } });
  assert.match(wrong.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  await wrong.arrayBuffer();
});

test('the name of the scheme is read without regard to case', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR ']) {
    const response = await fetch(`${url}/things`, {
      headers: { authorization: `${scheme} owner.org_1` },
    });
    assert.equal(response.status, 200, scheme);
    await response.arrayBuffer();
  }
});

test("another organization's path is 404, whatever the role", async (t) => {
  const url = await serveKoa(t, sampleRouter());
  for (const role of ['owner', 'viewer'] as const) {
    const response = await fetch(`${url}/organizations/org_2/things`, { headers: as(role) });
    assert.equal(response.status, 404);
    assert.equal((await errorOf(response)).code, 'RESOURCE_NOT_FOUND');
  }
  const own = await fetch(`${url}/organizations/org_1/things`, { headers: as('viewer') });
  assert.equal(own.status, 403);
  assert.match((await errorOf(own)).message, /needs the permission webhooks:write.*viewer/);
});

test('an unexpected error is not exposed; the log has it with the request id', async (t) => {
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const url = await serveKoa(t, sampleRouter({ logger }));
  const response = await fetch(`${url}/broken`, { headers: as('owner') });
  const { code, message, requestId } = await errorOf(response);
  assert.deepEqual([code, message], ['INTERNAL_ERROR', 'An unexpected error occurred.']);
  const line = lines.find((each) => each.includes('a request failed')) ?? '{}';
  const logged = JSON.parse(line) as { request_id: string; error: { message: string } };
  assert.equal(logged.request_id, requestId);
  assert.match(logged.error.message, /password=/);
});

test('each error format serializes the same error in its own form', async (t) => {
  const platform = await serveKoa(t, sampleRouter({}, platformErrors));
  const response = await fetch(`${platform}/things`, {
    method: 'POST',
    headers: asOwnerJson,
    body: '{"name":""}',
  });
  assert.equal(response.status, 400);
  const body = (await response.json()) as Record<string, unknown>;
  assert.deepEqual([body.error, body.code], ['invalid_request', 400]);
  assert.deepEqual(Object.keys(body), ['error', 'message', 'code', 'details', 'request_id']);

  const scim = await serveKoa(t, sampleRouter({}, scimErrors));
  const refused = await fetch(`${scim}/things`);
  assert.equal(refused.headers.get('content-type'), 'application/scim+json');
  assert.deepEqual(await refused.json(), {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: '401',
    detail: 'invalid bearer token',
  });
});

test('every answer is counted once, under its route and never under its path', async (t) => {
  const { metrics, requests, durations } = collectRequests();
  const url = await serveKoa(t, sampleRouter({ prefix: '/api', metrics }));
  for (const path of ['/things/secret-1', '/things/secret-2']) {
    await (await fetch(`${url}/api${path}`, { headers: as('owner') })).arrayBuffer();
  }
  await (await fetch(`${url}/api/broken`, { headers: as('owner') })).arrayBuffer();
  assert.deepEqual(
    requests.map(({ method, path, status }) => [method, path, status]),
    [
      ['GET', '/api/things/{thing_id}', 200],
      ['GET', '/api/things/{thing_id}', 200],
      ['GET', '/api/broken', 500],
    ],
  );
  assert.equal(durations.length, 3);
  assert.ok(durations.every((seconds) => seconds >= 0 && seconds < 60));
});
