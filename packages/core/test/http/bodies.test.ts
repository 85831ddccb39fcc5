import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { as, serveKoa } from '../../src/testing/http.ts';
import { asOwnerJson, errorOf, exchange, sampleRouter, serveKit } from './sample.ts';

function post(url: string, body: RequestInit['body'], headers = asOwnerJson): Promise<Response> {
  return fetch(`${url}/things`, { method: 'POST', headers, body: body ?? null });
}

test('a valid body reaches the handler as it was sent', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const response = await post(url, '{"name":"grün ✓","tags":["a"]}');
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('location'), '/things/1');
  assert.deepEqual(await response.json(), { name: 'grün ✓', tags: ['a'] });
});

const refusals: ReadonlyArray<readonly [string, RequestInit['body'], number, string, string?]> = [
  ['broken JSON', '{"name":', 400, 'INVALID_REQUEST'],
  ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), 400, 'INVALID_REQUEST'],
  ['U+0000', '{"name":"\\u0000"}', 400, 'INVALID_REQUEST', 'name'],
  ['a lone surrogate', '{"tags":["\\ud800"]}', 400, 'INVALID_REQUEST', 'tags.0'],
  ['a missing field', '{}', 422, 'VALIDATION_ERROR', 'name'],
  ['an unknown field', '{"name":"a","nme":1}', 422, 'VALIDATION_ERROR', 'nme'],
  [
    'an unknown field inside',
    '{"name":"a","parent":{"id":"1","x":1}}',
    422,
    'VALIDATION_ERROR',
    'parent.x',
  ],
  ['a wrong type inside a list', '{"name":"a","tags":["a",7]}', 422, 'VALIDATION_ERROR', 'tags.1'],
  ['a list in place of an object', '[]', 422, 'VALIDATION_ERROR', 'body'],
];

for (const [name, body, status, code, field] of refusals) {
  test(`a request body with ${name} is refused${field ? ', naming the field' : ''}`, async (t) => {
    const response = await post(await serveKoa(t, sampleRouter()), body);
    const error = await errorOf(response);
    assert.deepEqual([response.status, error.statusCode, error.code], [status, status, code]);
    assert.equal(error.details?.[0]?.field, field);
  });
}

test('an endpoint without a declared body accepts an empty one and rejects any other', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const wake = (body: string | null, headers = asOwnerJson) =>
    fetch(`${url}/things/1/wake`, { method: 'POST', headers, body });
  for (const body of [null, '', '{}']) {
    const response = await wake(body);
    assert.deepEqual([response.status, await response.json()], [200, { body: null }]);
  }
  const unknown = await wake('{"at":"noon"}');
  assert.equal(unknown.status, 422);
  assert.equal((await errorOf(unknown)).details?.[0]?.field, 'at');
  assert.equal((await wake('at=noon', as('owner'))).status, 415);
  assert.equal((await wake('{"at":"noon","at":"one"}')).status, 400);
  const removed = await fetch(`${url}/things/1`, {
    method: 'DELETE',
    headers: asOwnerJson,
    body: '{"x":1}',
  });
  assert.equal(removed.status, 204);
});

test('a validation error names every invalid field, not only the first', async (t) => {
  const body = '{"name":"much too long","tags":["long"],"a":1,"b":2}';
  const { details } = await errorOf(await post(await serveKoa(t, sampleRouter()), body));
  assert.deepEqual(details?.map(({ field }) => field).sort(), ['a', 'b', 'name', 'tags.0']);
});

test('a body of an undeclared media type is answered 415, and no other request is', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const types = [
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=utf8mb4',
    'application/json; charset=us-ascii',
    'multipart/form-data',
  ];
  for (const type of types) {
    const response = await post(url, '{"name":"a"}', as('owner', { 'content-type': type }));
    assert.equal(response.status, 415, type);
    assert.equal((await errorOf(response)).code, 'UNSUPPORTED_MEDIA_TYPE');
  }
  const empty = await post(url, '', as('owner', { 'content-type': 'text/plain' }));
  assert.equal(empty.status, 400);
  assert.match((await errorOf(empty)).message, /needs a JSON body/);
  const labels = [
    'utf-8',
    '"UTF-8"',
    'utf8',
    'UTF8',
    '"utf8"',
    'unicode-1-1-utf-8',
    'x-unicode20utf8',
  ];
  for (const type of labels.map((label) => `Application/JSON;charset=${label}`)) {
    const response = await post(url, '{"name":"a"}', as('owner', { 'content-type': type }));
    assert.equal(response.status, 201, type);
    await response.arrayBuffer();
  }
  const get = await fetch(`${url}/things`, {
    headers: as('owner', { 'content-type': 'text/plain' }),
  });
  assert.equal(get.status, 200);
  await get.arrayBuffer();
});

test('a body of exactly the limit is read, one byte more is 413', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const ofLength = (length: number) => `{"name":"a"${' '.repeat(length - 12)}}`;
  assert.equal((await post(url, ofLength(1_048_576))).status, 201);
  const response = await post(url, ofLength(1_048_577));
  assert.equal(response.status, 413);
  assert.match((await errorOf(response)).message, /larger than 1048576 bytes/);
});

for (const [name, serve] of [
  ['a host of its own', (t: TestContext) => serveKoa(t, sampleRouter())],
  ['our server', async (t: TestContext) => (await serveKit(t, [sampleRouter()])).url],
] as const) {
  for (const chunked of [false, true]) {
    const how = chunked ? 'in chunks' : 'with its length';
    test(`on ${name} a client that sends 8 MB ${how} can read the 413`, async (t) => {
      const response = await sendLarge(await serve(t), 8, chunked, asOwnerJson);
      assert.deepEqual([response.status, response.code], [413, 'PAYLOAD_TOO_LARGE']);
    });
  }

  test(`on ${name} a client without a key that sends 2 MB can read the 401`, async (t) => {
    const response = await sendLarge(await serve(t), 2, true, {});
    assert.deepEqual([response.status, response.code], [401, 'INVALID_API_KEY']);
  });
}

test('a request that announces a body above the limit and sends none is answered 413', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const headers = { ...asOwnerJson, 'content-length': '20000000' };
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/things`, { method: 'POST', headers, agent: false });
    request.on('response', (response) => resolve(response.statusCode)).on('error', reject);
    request.write('{');
    t.after(() => request.destroy());
  });
  assert.equal(status, 413);
});

/** Sends so many megabytes of spaces, as a client that reads the answer only afterwards. */
function sendLarge(
  url: string,
  megabytes: number,
  chunked: boolean,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; code: string }> {
  return new Promise((resolve, reject) => {
    const length = chunked ? {} : { 'content-length': String(megabytes * 1_048_576) };
    const options = { method: 'POST', headers: { ...headers, ...length }, agent: false };
    const request = httpRequest(`${url}/things`, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const { error } = JSON.parse(text) as { error: { code: string } };
        resolve({ status: response.statusCode, code: error.code });
      });
    });
    request.on('error', reject);
    const blocks = Array.from({ length: megabytes * 16 }, () => Buffer.alloc(65_536, 0x20));
    Readable.from(blocks).pipe(request);
  });
}

test('the answer to a body that was not read ends the connection', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const answer = await exchange(
    url,
    'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{"na',
  );
  assert.match(answer, /^HTTP\/1\.1 401 /);
  assert.match(answer, /\r\nConnection: close\r\n/i);
});

test('100 Continue is sent only once the headers have passed every check', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const body = '{"name":"a"}';
  const head = (authorization: string, length: number) =>
    `POST /things HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\n` +
    `Content-Length: ${length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
  const refused = await exchange(url, head('', body.length));
  assert.match(refused, /^HTTP\/1\.1 401 /);
  const forbidden = await exchange(
    url,
    head('Authorization: Bearer viewer.org_1\r\n', body.length),
  );
  assert.match(forbidden, /^HTTP\/1\.1 403 /);
  const large = await exchange(url, head('Authorization: Bearer owner.org_1\r\n', 5_000_000));
  assert.match(large, /^HTTP\/1\.1 413 /);
  const accepted = await exchange(
    url,
    head('Authorization: Bearer owner.org_1\r\n', body.length) + body,
  );
  assert.match(accepted, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
});

test('a client that disconnects in the middle of its body does not affect other requests', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const request = httpRequest(`${url}/things`, {
    method: 'POST',
    headers: { ...asOwnerJson, 'content-length': '1000' },
    agent: false,
  });
  request.on('error', () => undefined);
  await new Promise<void>((resolve) => request.write('{"name":', () => resolve()));
  request.destroy();
  assert.equal((await post(url, '{"name":"a"}')).status, 201);
});
