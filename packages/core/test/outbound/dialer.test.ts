import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { DialerOptions, DialRequest } from '../../src/outbound/dialer.ts';
import { createDialer } from '../../src/outbound/dialer.ts';
import { parseNetworkAllowList } from '../../src/outbound/networks.ts';
import { createAuthority } from './certificates.ts';
import { startHttpsPeer, startTlsPeer } from './peers.ts';

const authority = await createAuthority();
const identity = await authority.issue(['receiver.example', '127.0.0.1', '::1']);

function createTestDialer(options: Partial<DialerOptions> = {}) {
  return createDialer({
    allow: parseNetworkAllowList('127.0.0.0/8,[::1]/128'),
    lookup: async () => ['127.0.0.1'],
    tls: { ca: [authority.ca] },
    ...options,
  });
}

function post(url: string, more: Partial<DialRequest> = {}): DialRequest {
  return { url, method: 'POST', timeoutMs: 120_000, maxResponseBytes: 4096, ...more };
}

test('a dialed request reaches the receiver unchanged and its response is returned', async () => {
  await using peer = await startHttpsPeer(identity, (request, response) => {
    const { method, url, headers, body } = request;
    response.writeHead(202, { 'x-answer': 'yes' });
    response.end(JSON.stringify({ method, url, headers, body }));
  });
  await using dialer = createTestDialer();
  const result = await dialer.request(
    post(`https://receiver.example:${peer.port}/hook?x=1`, {
      headers: { 'Content-Type': 'application/json', 'X-Service-Signature': 'sha256=00' },
      body: '{"grüße":1}',
    }),
  );
  assert.ok(result.kind === 'response', JSON.stringify(result));
  const { status, headers, body, truncated, address, durationMs } = result;
  assert.deepEqual(
    [status, headers['x-answer'], truncated, address],
    [202, 'yes', false, '127.0.0.1'],
  );
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0);
  const seen = JSON.parse(body.toString());
  assert.deepEqual([seen.method, seen.url, seen.body], ['POST', '/hook?x=1', '{"grüße":1}']);
  assert.deepEqual(seen.headers, {
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'x-service-signature': 'sha256=00',
    host: `receiver.example:${peer.port}`,
    'content-length': '13',
    connection: 'close',
  });
});

test('SNI and Host carry the name without its trailing dot, not the address', async () => {
  const seen: unknown[] = [];
  await using peer = await startTlsPeer(identity, (socket, text) => {
    seen.push(socket.servername, /^host: (.*)$/im.exec(text)?.[1]);
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  });
  await using dialer = createTestDialer();
  await dialer.request(post(`https://Receiver.Example.:${peer.port}/`));
  assert.deepEqual(seen, ['receiver.example', `receiver.example:${peer.port}`]);
});

const loopbacks = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .map(({ address }) => address)
  .filter((address) => address === '127.0.0.1' || address === '::1');

for (const address of loopbacks) {
  test(`a literal ${address} is dialed without DNS, and the certificate is for the address`, async () => {
    await using peer = await startHttpsPeer(
      identity,
      (_request, response) => response.end('here'),
      {
        host: address,
      },
    );
    const lookup = () => Promise.reject(new Error('DNS was asked'));
    await using dialer = createTestDialer({ lookup });
    const host = address.includes(':') ? `[${address}]` : address;
    const result = await dialer.request(post(`https://${host}:${peer.port}/`));
    assert.ok(result.kind === 'response', JSON.stringify(result));
    assert.deepEqual([result.body.toString(), result.address], ['here', address]);
  });
}

for (const status of [301, 302, 303, 307, 308, 400, 404, 410, 429, 500, 503]) {
  test(`the dialer returns status ${status} as the response and follows no redirect`, async () => {
    const paths: unknown[] = [];
    await using peer = await startHttpsPeer(identity, (request, response) => {
      paths.push(request.url);
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    await using dialer = createTestDialer();
    const result = await dialer.request(post(`https://receiver.example:${peer.port}/hook`));
    assert.ok(result.kind === 'response', JSON.stringify(result));
    assert.deepEqual([result.status, result.headers.location], [status, '/elsewhere']);
    assert.deepEqual(paths, ['/hook']);
  });
}

test('a compressed response is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  await using peer = await startHttpsPeer(identity, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  await using dialer = createTestDialer();
  const result = await dialer.request(
    post(`https://receiver.example:${peer.port}/`, { maxResponseBytes: bomb.length }),
  );
  assert.ok(result.kind === 'response', JSON.stringify(result));
  assert.equal(result.truncated, false);
  assert.ok(result.body.equals(bomb));
});

for (const [size, cap, truncated] of [
  [4096, 4096, false],
  [4097, 4096, true],
  [0, 0, false],
  [1, 0, true],
  [1_000_000, 10, true],
] as const) {
  test(`a body of ${size} bytes under a cap of ${cap} is ${truncated ? 'cut off' : 'whole'}`, async () => {
    await using peer = await startHttpsPeer(identity, (_request, response) => {
      response.end(Buffer.alloc(size, 'x'));
    });
    await using dialer = createTestDialer();
    const result = await dialer.request(
      post(`https://receiver.example:${peer.port}/`, { maxResponseBytes: cap }),
    );
    assert.ok(result.kind === 'response', JSON.stringify(result));
    assert.deepEqual([result.body.length, result.truncated], [Math.min(size, cap), truncated]);
  });
}

test('an endless body is read to the cap and the connection is ended', async () => {
  let ended: () => void = () => {};
  const hasEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  await using peer = await startHttpsPeer(identity, (_request, response) => {
    response.on('close', ended);
    response.writeHead(200);
    const pump = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on('drain', pump);
    pump();
  });
  await using dialer = createTestDialer();
  const result = await dialer.request(post(`https://receiver.example:${peer.port}/`));
  assert.ok(result.kind === 'response', JSON.stringify(result));
  assert.deepEqual([result.status, result.body.length, result.truncated], [200, 4096, true]);
  await hasEnded;
});

test('the dialer skips 1xx responses', async () => {
  await using peer = await startTlsPeer(identity, (socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n');
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone');
  });
  await using dialer = createTestDialer();
  const result = await dialer.request(post(`https://receiver.example:${peer.port}/`));
  assert.ok(result.kind === 'response', JSON.stringify(result));
  assert.deepEqual([result.status, result.body.toString()], [200, 'done']);
});

test('a HEAD request has no body in either direction', async () => {
  await using peer = await startHttpsPeer(identity, (request, response) => {
    response
      .writeHead(200, { 'x-length': request.headers['content-length'] ?? 'none' })
      .end('body');
  });
  await using dialer = createTestDialer();
  const url = `https://receiver.example:${peer.port}/`;
  const result = await dialer.request(post(url, { method: 'HEAD' }));
  assert.ok(result.kind === 'response', JSON.stringify(result));
  assert.deepEqual([result.headers['x-length'], result.body.length], ['none', 0]);
});

test('a POST without a body sends Content-Length: 0', async () => {
  await using peer = await startHttpsPeer(identity, (request, response) => {
    response.end(`${request.headers['content-length']} ${request.headers['transfer-encoding']}`);
  });
  await using dialer = createTestDialer();
  const result = await dialer.request(post(`https://receiver.example:${peer.port}/`));
  assert.equal(result.kind === 'response' && result.body.toString(), '0 undefined');
});

for (const headers of [
  { Host: 'other.example' },
  { 'Content-Length': '1' },
  { 'transfer-encoding': 'chunked' },
  { Connection: 'close' },
  { 'x-a': 'b\r\nx-c: d' },
  { 'x a': 'b' },
  { '': 'b' },
]) {
  test(`the headers ${JSON.stringify(headers)} are refused before anything is dialed`, async () => {
    await using peer = await startHttpsPeer(identity, (_request, response) => response.end());
    await using dialer = createTestDialer();
    const result = await dialer.request(
      post(`https://receiver.example:${peer.port}/`, { headers }),
    );
    assert.equal(result.kind === 'error' && result.code, 'invalid_request');
    assert.equal(peer.connections.length, 0);
  });
}

test('dialer limits that are out of range throw a RangeError', async () => {
  await using dialer = createTestDialer();
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
    await assert.rejects(dialer.request(post('https://a.example/', { timeoutMs })), RangeError);
  }
  for (const maxResponseBytes of [-1, 0.5, Number.NaN]) {
    await assert.rejects(
      dialer.request(post('https://a.example/', { maxResponseBytes })),
      RangeError,
    );
  }
});
