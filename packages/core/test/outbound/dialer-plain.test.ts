import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DialerOptions, DialRequest } from '../../src/outbound/dialer.ts';
import { createDialer } from '../../src/outbound/dialer.ts';
import { parseNetworkAllowList } from '../../src/outbound/networks.ts';
import { createAuthority } from './certificates.ts';
import { startHttpPeer, startHttpsPeer, startTcpPeer } from './peers.ts';

function createTestDialer(port: number, options: Partial<DialerOptions> = {}) {
  return createDialer({ allow: parseNetworkAllowList(`127.0.0.0/8:${port}`), ...options });
}

function post(url: string, more: Partial<DialRequest> = {}): DialRequest {
  return { url, method: 'POST', timeoutMs: 120_000, maxResponseBytes: 4096, ...more };
}

test('a plain URL of loopback is dialed without TLS, with the same request', async () => {
  await using peer = await startHttpPeer((request, response) => {
    const { method, url, headers, body } = request;
    response.writeHead(202).end(JSON.stringify({ method, url, headers, body }));
  });
  await using dialer = createTestDialer(peer.port);
  const url = `http://127.0.0.1:${peer.port}/hook?x=1`;
  const result = await dialer.request(post(url, { headers: { 'x-own': 'yes' }, body: '{}' }));
  assert.ok(result.kind === 'response', JSON.stringify(result));
  assert.deepEqual([result.status, result.address], [202, '127.0.0.1']);
  assert.deepEqual(JSON.parse(result.body.toString()), {
    method: 'POST',
    url: '/hook?x=1',
    body: '{}',
    headers: {
      'accept-encoding': 'identity',
      'x-own': 'yes',
      host: `127.0.0.1:${peer.port}`,
      'content-length': '2',
      connection: 'close',
    },
  });
});

test('a plain request follows no redirect and reads a body to the cap', async () => {
  const paths: unknown[] = [];
  await using peer = await startHttpPeer((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end('x'.repeat(100_000));
  });
  await using dialer = createTestDialer(peer.port);
  const result = await dialer.request(post(`http://127.0.0.1:${peer.port}/hook`));
  assert.ok(result.kind === 'response', JSON.stringify(result));
  assert.deepEqual([result.status, result.body.length, result.truncated], [307, 4096, true]);
  assert.deepEqual(paths, ['/hook']);
});

test('plain localhost is dialed only while all its addresses are loopback', async () => {
  await using peer = await startHttpPeer((_request, response) => response.end('home'));
  const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '8.8.8.8'], []];
  await using dialer = createTestDialer(peer.port, { lookup: async () => answers.shift() ?? [] });
  const outcomes = [];
  for (let count = 1; count <= 4; count += 1) {
    const result = await dialer.request(post(`http://localhost:${peer.port}/`));
    outcomes.push(result.kind === 'error' ? result.code : result.body.toString());
  }
  assert.deepEqual(outcomes, ['home', 'refused_address', 'refused_address', 'dns']);
  assert.equal(peer.connections.length, 1);
});

test('the dialer refuses a plain URL that the allow-list does not name', async () => {
  await using peer = await startHttpPeer((_request, response) => response.end());
  const { port } = peer;
  for (const list of ['', '127.0.0.1/32', `127.0.0.2/32:${port}`, `0.0.0.0/0:${port}`]) {
    await using dialer = createDialer({ allow: parseNetworkAllowList(list) });
    const result = await dialer.request(post(`http://127.0.0.1:${port}/`));
    assert.equal(result.kind === 'error' && result.code, 'invalid_url', list);
  }
  assert.equal(peer.connections.length, 0);
});

test('an idle plain connection is reused by its key, and never for https', async () => {
  await using peer = await startHttpPeer((_request, response) => response.end('plain'));
  await using dialer = createTestDialer(peer.port, { idleTimeoutMs: 60_000 });
  const send = (scheme: string) =>
    dialer.request(post(`${scheme}://127.0.0.1:${peer.port}/`, { connectionKey: 'one' }));
  assert.equal((await send('http')).kind, 'response');
  assert.equal((await send('http')).kind, 'response');
  assert.equal(peer.connections.length, 1);
  const secured = await send('https');
  assert.equal(secured.kind === 'error' && secured.code, 'tls');
  assert.equal(peer.connections.length, 2);
});

test('a plain request to a TLS port fails, and an https request to it succeeds', async () => {
  const authority = await createAuthority();
  const identity = await authority.issue(['127.0.0.1']);
  await using peer = await startHttpsPeer(identity, (_request, response) => response.end('tls'));
  await using dialer = createTestDialer(peer.port, { tls: { ca: [authority.ca] } });
  const plain = await dialer.request(post(`http://127.0.0.1:${peer.port}/`));
  assert.ok(plain.kind === 'error' && ['reset', 'protocol'].includes(plain.code), plain.kind);
  const secured = await dialer.request(post(`https://127.0.0.1:${peer.port}/`));
  assert.equal(secured.kind === 'response' && secured.body.toString(), 'tls');
});

test('the dialer fails a request to a plain peer that is silent or absent', async () => {
  const peer = await startTcpPeer(() => {});
  await using dialer = createTestDialer(peer.port);
  const url = `http://127.0.0.1:${peer.port}/`;
  const controller = new AbortController();
  const silent = dialer.request(post(url, { signal: controller.signal }));
  await peer.connected(1);
  controller.abort();
  const aborted = await silent;
  assert.equal(aborted.kind === 'error' && aborted.code, 'aborted');
  await peer[Symbol.asyncDispose]();
  const absent = await dialer.request(post(url));
  assert.equal(absent.kind === 'error' && absent.code, 'connect');
  assert.match(
    absent.kind === 'error' ? absent.message : '',
    /^Connection failed \(ECONNREFUSED\)/,
  );
});
