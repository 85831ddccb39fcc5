import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@probity/test-support';
import { generalErrors } from '../../src/http/error-format.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { authenticateByRole } from '../../src/testing/http.ts';
import { exchange, ownApplication, sampleRouter, serveKit } from './sample.ts';

/** Statuses of the answers on one connection, in order. */
function statusesOf(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

test('valid requests are answered although the data after them cannot be parsed', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const good = 'GET /open HTTP/1.1\r\nHost: x\r\n\r\n';
  assert.deepEqual(statusesOf(await exchange(url, `${good}GARBAGE\r\n\r\n`)), [200]);
  assert.deepEqual(statusesOf(await exchange(url, `${good}${good}GARBAGE\r\n\r\n`)), [200, 200]);
});

test('a malformed request body is answered once', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const answers = await exchange(
    url,
    'POST /things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner.org_1\r\n' +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  );
  assert.deepEqual(statusesOf(answers), [400]);
});

for (const [name, middleware] of [
  ['of ours', [ownApplication()]],
  ['of a host', []],
] as const) {
  test(`a body that was refused before its endpoint reads it is no failure of an application ${name}`, async (t) => {
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    const log: Array<readonly [string, unknown]> = [];
    const record = (message: string, fields?: object) =>
      void log.push([message, (fields as { status?: unknown } | undefined)?.status]);
    const logger = { debug: record, info: record, warn: record, error: record };
    const router = sampleRouter({
      logger,
      async authenticate(request) {
        await admitted;
        return authenticateByRole(request);
      },
    });
    const { url } = await serveKit(t, [...middleware, router]);
    const answers = await exchange(
      url,
      'POST /things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner.org_1\r\n' +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"\r\nZZ\r\n',
    );
    assert.deepEqual(statusesOf(answers), [400]);
    admit();
    await until(() => log.length > 0, 'the request is logged');
    assert.deepEqual(log, [['request', 400]]);
  });
}

test('a stalled request body is answered 408 in its own response', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()], {
    // Long enough for the headers to be read, however busy the machine is.
    headersTimeoutMs: 2_000,
    requestTimeoutMs: 2_000,
  });
  const answers = await exchange(
    url,
    'POST /things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer owner.org_1\r\n' +
      'X-Request-Id: slow-request-1\r\nContent-Type: application/json\r\n' +
      'Content-Length: 100\r\n\r\n{"name"',
  );
  assert.deepEqual(statusesOf(answers), [408]);
  assert.match(answers, /^X-Request-Id: slow-request-1\r$/m);
});

test('a request whose answer has begun may take longer to arrive', async (t) => {
  const limited = createHttpServer({
    handler(request, response) {
      response.writeHead(200, { Connection: 'close' });
      response.flushHeaders();
      request.pipe(response);
    },
    ...{ host: '127.0.0.1', port: 0, errorFormatOf: () => generalErrors },
    requestTimeoutMs: 1,
  });
  const url = await limited.start();
  t.after(() => limited.stop());
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  await until(() => received.includes('200 OK'), 'the answer has begun');
  // Later than the time that the request has to arrive.
  await delay(50);
  socket.write('5\r\nhello\r\n0\r\n\r\n');
  await until(() => received.includes('hello'), 'the body is answered');
});

const hosts: ReadonlyArray<readonly [string, string, number]> = [
  ['two Host headers', 'Host: a\r\nHost: b\r\n', 400],
  ['a Host with a space and a path', 'Host: a b/c\r\n', 400],
  ['an IPv6 Host', 'Host: [::1]:3000\r\n', 200],
  ['a Host in capitals', 'HOST: Example.COM\r\n', 200],
];

for (const [name, header, status] of hosts) {
  test(`${name} is answered ${status}`, async (t) => {
    const { url } = await serveKit(t, [sampleRouter()]);
    const request = `GET /open HTTP/1.1\r\n${header}Connection: close\r\n\r\n`;
    assert.deepEqual(statusesOf(await exchange(url, request)), [status]);
  });
}

test('request headers beyond the thousandth count toward the limit', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const many = 'A: 1\r\n'.repeat(1_100);
  const request = `GET /things/1 HTTP/1.1\r\nHost: x\r\n${many}Authorization: Bearer owner.org_1\r\nConnection: close\r\n\r\n`;
  assert.deepEqual(statusesOf(await exchange(url, request)), [200]);
});

test('CONNECT is answered with the allowed methods', async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const answer = await exchange(url, 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n');
  assert.deepEqual(statusesOf(answer), [405]);
  assert.match(answer, /^Allow: GET, HEAD, POST, PUT, PATCH, DELETE\r$/m);
});

test("a request that cannot be parsed keeps its caller's identifier", async (t) => {
  const { url } = await serveKit(t, [sampleRouter()]);
  const answer = await exchange(
    url,
    'GET /open HTTP/9.1\r\nHost: x\r\nX-Request-Id: my-req-12345\r\n\r\n',
  );
  assert.deepEqual(statusesOf(answer), [400]);
  assert.match(answer, /^X-Request-Id: my-req-12345\r$/m);
  assert.match(answer, /"requestId":"my-req-12345"/);
});
