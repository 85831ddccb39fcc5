import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import type { DialerOptions, DialRequest } from '../../src/outbound/dialer.ts';
import { createDialer } from '../../src/outbound/dialer.ts';
import { parseNetworkAllowList } from '../../src/outbound/networks.ts';
import { createAuthority } from './certificates.ts';
import { startHttpsPeer, startTlsPeer } from './peers.ts';

const authority = await createAuthority();
const identity = await authority.issue(['receiver.example', 'other.example']);

function createTestDialer(options: Partial<DialerOptions> = {}) {
  return createDialer({
    allow: parseNetworkAllowList('127.0.0.0/8'),
    lookup: async () => ['127.0.0.1'],
    tls: { ca: [authority.ca] },
    ...options,
  });
}

function get(port: number, more: Partial<DialRequest> = {}): DialRequest {
  const url = `https://receiver.example:${port}/`;
  const limits = { timeoutMs: 120_000, maxResponseBytes: 4096 };
  return { url, method: 'GET', retryOnReset: true, ...limits, ...more };
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';

/** Lets the connection of the last response become idle, and closings reach this side. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function closed(socket: Socket | undefined): Promise<void> {
  assert.ok(socket !== undefined);
  if (!socket.destroyed) await once(socket, 'close');
}

const reuse: [promise: string, more: Partial<DialRequest>, connections: number][] = [
  ['GET requests that may be sent again share a connection', { retryOnReset: true }, 1],
  [
    'POST requests that may be sent again share a connection',
    { method: 'POST', retryOnReset: true, body: 'a' },
    1,
  ],
  ['other GET requests each take a fresh connection', { retryOnReset: false }, 3],
  [
    'other POST requests each take a fresh connection',
    { method: 'POST', retryOnReset: false, body: 'a' },
    3,
  ],
];

for (const [promise, more, connections] of reuse) {
  test(promise, async () => {
    await using peer = await startHttpsPeer(identity, (_request, response) => response.end('ok'));
    await using dialer = createTestDialer();
    for (let count = 1; count <= 3; count += 1) {
      const result = await dialer.request(get(peer.port, more));
      assert.equal(result.kind, 'response', JSON.stringify(result));
      await settle();
    }
    assert.equal(peer.connections.length, connections);
  });
}

test('a connection that the peer ends when the next request arrives does not fail that request', async () => {
  const asked = new Map<unknown, number>();
  await using peer = await startTlsPeer(identity, (socket) => {
    asked.set(socket, (asked.get(socket) ?? 0) + 1);
    if (asked.get(socket) === 2) socket.destroy();
    else socket.write(ok);
  });
  await using dialer = createTestDialer();
  for (let count = 1; count <= 3; count += 1) {
    const result = await dialer.request(get(peer.port));
    assert.equal(result.kind, 'response', JSON.stringify(result));
    await settle();
  }
  assert.deepEqual([...asked.values()], [2, 2, 1]);
});

test('a request that may be sent again is repeated once at most, and never after a fresh connection failed', async () => {
  let asked = 0;
  await using peer = await startTlsPeer(identity, (socket) => {
    asked += 1;
    if (asked === 1) socket.write(ok);
    else socket.destroy();
  });
  await using dialer = createTestDialer();
  await dialer.request(get(peer.port));
  await settle();
  const result = await dialer.request(get(peer.port));
  assert.equal(result.kind === 'error' && result.code, 'reset');
  assert.equal(asked, 3);
  await dialer.request(get(peer.port));
  assert.equal(asked, 4);
});

for (const method of ['GET', 'PUT', 'POST'] as const) {
  test(`a ${method} request that is not said to be idempotent is sent once, whatever resets it`, async () => {
    let asked = 0;
    await using peer = await startTlsPeer(identity, (socket) => {
      asked += 1;
      if (asked === 1) socket.write(ok);
      else socket.destroy();
    });
    await using dialer = createTestDialer();
    await dialer.request(get(peer.port));
    await settle();
    const url = `https://receiver.example:${peer.port}/`;
    const limits = { timeoutMs: 120_000, maxResponseBytes: 4096 };
    const result = await dialer.request({ url, method, ...limits });
    assert.equal(result.kind === 'error' && result.code, 'reset');
    assert.equal(asked, 2);
    assert.equal(peer.connections.length, 2);
  });
}

test('an idle connection that the peer has closed is not used again', async () => {
  await using peer = await startTlsPeer(identity, (socket) => socket.write(ok));
  await using dialer = createTestDialer();
  await dialer.request(get(peer.port));
  peer.connections[0]?.resetAndDestroy();
  await settle();
  const result = await dialer.request(get(peer.port, { method: 'POST' }));
  assert.equal(result.kind, 'response', JSON.stringify(result));
  assert.equal(peer.connections.length, 2);
});

for (const [promise, after, late] of [
  ['with', forged, ''],
  ['after', '', forged],
] as const) {
  test(`bytes that come ${promise} an answer are never taken for the next answer`, async () => {
    const sockets: TLSSocket[] = [];
    await using peer = await startTlsPeer(identity, (socket) => {
      sockets.push(socket);
      socket.write(sockets.length === 1 ? `${ok}${after}` : ok);
    });
    await using dialer = createTestDialer();
    await dialer.request(get(peer.port));
    await settle();
    if (late !== '') sockets[0]?.write(late);
    await closed(peer.connections[0]);
    const result = await dialer.request(get(peer.port));
    assert.equal(result.kind === 'response' && result.body.toString(), 'ok');
    assert.equal(peer.connections.length, 2);
  });
}

test('an idle connection that answers with garbage fails the request, which is not repeated', async () => {
  let asked = 0;
  await using peer = await startTlsPeer(identity, (socket) => {
    asked += 1;
    socket.write(asked === 1 ? ok : 'garbage\r\n\r\n');
  });
  await using dialer = createTestDialer();
  await dialer.request(get(peer.port));
  await settle();
  const result = await dialer.request(get(peer.port));
  assert.equal(result.kind === 'error' && result.code, 'protocol');
  assert.equal(asked, 2);
});

test('an idle connection serves only the name and the addresses it was verified for', async () => {
  await using first = await startHttpsPeer(identity, (_request, response) => response.end('1'));
  const at = { host: '127.0.0.2', port: first.port };
  await using second = await startHttpsPeer(
    identity,
    (_request, response) => response.end('2'),
    at,
  );
  let addresses = ['127.0.0.1'];
  await using dialer = createTestDialer({ lookup: async () => addresses });
  const ask = async (host: string) => {
    const result = await dialer.request(get(0, { url: `https://${host}:${first.port}/` }));
    await settle();
    return result.kind === 'response' ? result.body.toString() : result.code;
  };
  assert.equal(await ask('receiver.example'), '1');
  assert.equal(await ask('other.example'), '1');
  assert.equal(first.connections.length, 2);
  addresses = ['127.0.0.2'];
  assert.equal(await ask('receiver.example'), '2');
  addresses = ['127.0.0.1', '10.0.0.1'];
  assert.equal(await ask('receiver.example'), 'refused_address');
  addresses = ['127.0.0.1', '127.0.0.2'];
  assert.match(await ask('receiver.example'), /^[12]$/);
  assert.deepEqual([first.connections.length, second.connections.length], [2, 1]);
});

const unkept: [promise: string, options: Partial<DialerOptions>, answer: string][] = [
  ['the peer says close', {}, ok.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')],
  [
    'the peer keeps it too briefly',
    {},
    ok.replace('\r\n\r\n', '\r\nKeep-Alive: timeout=1\r\n\r\n'),
  ],
  [
    'the answer was cut off',
    {},
    'HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n'.padEnd(9000, 'x'),
  ],
  ['the peer speaks HTTP/1.0', {}, ok.replace('1.1', '1.0')],
  ['no connection may be idle', { maxIdleConnections: 0 }, ok],
  ['the time to be idle is over', { idleTimeoutMs: 1 }, ok],
];

for (const [promise, options, answer] of unkept) {
  test(`a connection is not kept when ${promise}`, async () => {
    await using peer = await startTlsPeer(identity, (socket) => socket.write(answer));
    await using dialer = createTestDialer(options);
    for (let count = 1; count <= 2; count += 1) {
      const result = await dialer.request(get(peer.port));
      assert.equal(result.kind, 'response', JSON.stringify(result));
      await closed(peer.connections.at(-1));
    }
    assert.equal(peer.connections.length, 2);
  });
}

test('requests at the same time never share a connection', async () => {
  let together = 0;
  let release: () => void = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using peer = await startHttpsPeer(identity, async (_request, response) => {
    together += 1;
    if (together === 20) release();
    await all;
    response.end(String(response.req.url));
  });
  await using dialer = createTestDialer({ maxIdleConnections: 5 });
  const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
  const ask = async (path: string) => {
    const url = `https://receiver.example:${peer.port}${path}`;
    const result = await dialer.request(get(0, { url }));
    return result.kind === 'response' ? result.body.toString() : result.code;
  };
  assert.deepEqual(await Promise.all(paths.map(ask)), paths);
  assert.equal(peer.connections.length, 20);
  await settle();
  together = 0;
  assert.deepEqual(await Promise.all(paths.map(ask)), paths);
  assert.equal(peer.connections.length, 35);
});

const keyed = { retryOnReset: false, connectionKey: 'whk_1', method: 'POST', body: 'a' } as const;

test('requests with one key share a connection, and tell whether they reuse one', async () => {
  await using peer = await startHttpsPeer(identity, (_request, response) => response.end('ok'));
  await using dialer = createTestDialer();
  const reused: boolean[] = [];
  for (const connectionKey of ['whk_1', 'whk_2', 'whk_1', 'whk_2', undefined]) {
    const onSent = (isReused: boolean) => reused.push(isReused);
    const result = await dialer.request(get(peer.port, { ...keyed, connectionKey, onSent }));
    assert.equal(result.kind, 'response', JSON.stringify(result));
    await settle();
  }
  assert.deepEqual(reused, [false, false, true, true, false]);
  assert.equal(peer.connections.length, 3);
});

test('a keyed request that fails on a reused connection is sent once, and the next ones on fresh connections', async () => {
  const asked = new Map<unknown, number>();
  await using peer = await startTlsPeer(identity, (socket) => {
    asked.set(socket, (asked.get(socket) ?? 0) + 1);
    if (asked.get(socket) === 2) socket.destroy();
    else socket.write(ok);
  });
  await using dialer = createTestDialer();
  const kinds: string[] = [];
  for (let count = 1; count <= 4; count += 1) {
    kinds.push((await dialer.request(get(peer.port, keyed))).kind);
    await settle();
  }
  assert.deepEqual(kinds, ['response', 'error', 'response', 'response']);
  assert.deepEqual([...asked.values()], [2, 1, 1]);
});

for (const status of ['204 No Content', '404 Not Found', '500 Oops']) {
  test(`a connection is ${status.startsWith('2') ? 'kept' : 'closed'} after ${status}`, async () => {
    await using peer = await startTlsPeer(identity, (socket) =>
      socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`),
    );
    await using dialer = createTestDialer();
    for (let count = 1; count <= 2; count += 1) {
      await dialer.request(get(peer.port, keyed));
      await settle();
    }
    assert.equal(peer.connections.length, status.startsWith('2') ? 1 : 2);
  });
}

test('the oldest idle connection is closed when there are too many', async () => {
  await using peer = await startHttpsPeer(identity, (_request, response) => response.end('ok'));
  await using dialer = createTestDialer({ maxIdleConnections: 2 });
  for (const connectionKey of ['a', 'b', 'c']) {
    await dialer.request(get(peer.port, { ...keyed, connectionKey }));
    await settle();
  }
  await closed(peer.connections[0]);
  for (const connectionKey of ['c', 'b', 'a']) {
    await dialer.request(get(peer.port, { ...keyed, connectionKey }));
    await settle();
  }
  assert.equal(peer.connections.length, 4);
});

test('closing ends idle connections', async () => {
  await using peer = await startTlsPeer(identity, (socket) => socket.write(ok));
  const dialer = createTestDialer();
  await dialer.request(get(peer.port));
  await settle();
  assert.equal(peer.connections[0]?.destroyed, false);
  await dialer.close();
  await closed(peer.connections[0]);
});
