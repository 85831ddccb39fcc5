import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { generalErrors } from '../../src/http/error-format.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { exchange, sampleEndpoints, sampleRouter, serveKit } from './sample.ts';

/** Status, headers and error of a raw answer. */
function parseAnswer(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [line = '', ...headers] = head.split('\r\n');
  const { error } = JSON.parse(body) as { error: { statusCode: number; requestId: string } };
  return {
    status: Number(line.split(' ')[1]),
    headers: new Headers(
      headers.map((each) => each.split(/: (.*)/s).slice(0, 2) as [string, string]),
    ),
    error,
  };
}

const refusals: ReadonlyArray<readonly [string, string, number]> = [
  ['a bad request line', 'GARBAGE\r\n\r\n', 400],
  ['a bad header', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
  [
    'a flood of headers',
    `GET / HTTP/1.1\r\nHost: x\r\n${`X-A: ${'a'.repeat(990)}\r\n`.repeat(40)}\r\n`,
    431,
  ],
  ['a missing Host', 'GET /open HTTP/1.1\r\n\r\n', 400],
  [
    'two ways to say the length',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405],
  [
    'an expectation that cannot be met',
    'GET /open HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n',
    417,
  ],
];

for (const [name, request, status] of refusals) {
  test(`a request with ${name} is answered ${status} with the standard headers and error body`, async (t) => {
    const { url } = await serveKit(t, [sampleRouter()]);
    const answer = parseAnswer(await exchange(url, request));
    assert.deepEqual([answer.status, answer.error.statusCode], [status, status]);
    assert.equal(answer.headers.get('server'), 'Probity-API/v1');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(answer.headers.get('x-request-id'), answer.error.requestId);
    assert.equal(answer.headers.get('connection'), 'close');
  });
}

test('headers that come too slowly are answered 408', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()], {
    headersTimeoutMs: 50,
    requestTimeoutMs: 100,
  });
  const answer = parseAnswer(await exchange(url, 'GET /open HTTP/1.1\r\nHost: x\r\n'));
  assert.equal(answer.status, 408);
  assert.equal(answer.headers.get('x-request-id'), answer.error.requestId);
});

test('HTTP/1.0 needs no Host', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  assert.match(await exchange(url, 'GET /open HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 OK/);
});

test('stopping a server lets requests in flight finish, takes no new ones, and may be repeated', async (t) => {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const endpoints = sampleEndpoints(() => {
    enter();
    return gate;
  });
  const { url, stop } = await serveKit(t, [sampleRouter({}, generalErrors, endpoints)]);
  const inFlight = fetch(`${url}/slow`);
  await entered;
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await assert.rejects(fetch(`${url}/open`));
  assert.equal(stopped, false);
  open();
  assert.deepEqual(await (await inFlight).json(), { slow: true });
  await stopping;
  await stop();
});

test('stopping a server does not wait for connections without a request', async (t) => {
  const { url, stop } = await serveKit(t, [sampleRouter()]);
  const silent = connect(Number(new URL(url).port), '127.0.0.1');
  silent.on('error', () => undefined);
  await once(silent, 'connect');
  // Connections are accepted in order: when this one is answered the silent one has been.
  await (await fetch(`${url}/open`)).arrayBuffer();
  const closed = once(silent, 'close');
  const startedAt = performance.now();
  await stop();
  assert.ok(performance.now() - startedAt < 20_000);
  await closed;
});

test('a client is told that its connection may be idle for longer than proxies keep theirs', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const response = await fetch(`${url}/open`);
  assert.equal(response.headers.get('keep-alive'), 'timeout=75');
  await response.arrayBuffer();
});

test('a port that is taken is refused with the reason', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const port = Number(new URL(url).port);
  const second = createHttpServer({
    handler: () => undefined,
    host: '127.0.0.1',
    port,
    errorFormatOf: () => generalErrors,
  });
  await assert.rejects(second.start(), { code: 'EADDRINUSE' });
});
