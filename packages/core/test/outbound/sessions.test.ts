import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { createTestClock } from '@probity/test-support';
import type { DialerOptions } from '../../src/outbound/dialer.ts';
import { createDialer } from '../../src/outbound/dialer.ts';
import { parseNetworkAllowList } from '../../src/outbound/networks.ts';
import type { Identity } from './certificates.ts';
import { createAuthority } from './certificates.ts';
import { startTlsPeer } from './peers.ts';

const authority = await createAuthority();
const identity = await authority.issue(['receiver.example', 'other.example']);
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const MINUTE_MS = 60_000;

function createTestDialer(options: Partial<DialerOptions> = {}) {
  return createDialer({
    allow: parseNetworkAllowList('127.0.0.0/8'),
    lookup: async () => ['127.0.0.1'],
    tls: { ca: [authority.ca] },
    ...options,
  });
}

/** A server that answers every request, and whether its connections resumed a session. */
async function startPeer(as: Identity = identity, port = 0) {
  const resumed: boolean[] = [];
  const peer = await startTlsPeer(
    as,
    (socket: TLSSocket) => {
      resumed.push(socket.isSessionReused());
      socket.write(OK);
    },
    { port },
  );
  return { ...peer, resumed };
}

async function post(dialer: ReturnType<typeof createTestDialer>, host: string, port: number) {
  const url = `https://${host}:${port}/`;
  const limits = { timeoutMs: 10 * MINUTE_MS, maxResponseBytes: 4096 };
  const result = await dialer.request({ url, method: 'POST', body: 'a', ...limits });
  return result.kind === 'response' ? result.status : result.code;
}

test('further connections to a name resume a session, each request on a connection of its own', async () => {
  const peer = await startPeer();
  await using _ = peer;
  await using dialer = createTestDialer();
  for (let count = 0; count < 4; count += 1) {
    assert.equal(await post(dialer, 'receiver.example', peer.port), 200);
  }
  assert.deepEqual(peer.resumed, [false, true, true, true]);
  assert.equal(peer.connections.length, 4);
});

test('a session is not resumed for another name, or in another dialer', async () => {
  const peer = await startPeer();
  await using _ = peer;
  await using dialer = createTestDialer();
  await using another = createTestDialer();
  await post(dialer, 'receiver.example', peer.port);
  await post(dialer, 'other.example', peer.port);
  await post(another, 'receiver.example', peer.port);
  assert.deepEqual(peer.resumed, [false, false, false]);
});

test('a certificate is verified again five minutes after it was, however often it was resumed', async () => {
  const clock = createTestClock();
  const peer = await startPeer();
  await using _ = peer;
  await using dialer = createTestDialer({ clock });
  for (let minute = 0; minute < 7; minute += 1) {
    assert.equal(await post(dialer, 'receiver.example', peer.port), 200);
    await clock.advance(MINUTE_MS);
  }
  assert.deepEqual(peer.resumed, [false, true, true, true, true, false, true]);
});

test('a server that does not know the session must show a valid certificate', async () => {
  const first = await startPeer();
  await using dialer = createTestDialer();
  await post(dialer, 'receiver.example', first.port);
  await first[Symbol.asyncDispose]();
  const wrong = await authority.issue(['wrong.example']);
  const second = await startPeer(wrong, first.port);
  await using _ = second;
  assert.equal(await post(dialer, 'receiver.example', second.port), 'tls');
  assert.deepEqual(second.resumed, []);
});

test('a session is resumed no more after a failure, which may be its fault', async () => {
  const resumed: boolean[] = [];
  const peer = await startTlsPeer(identity, (socket: TLSSocket) => {
    resumed.push(socket.isSessionReused());
    if (socket.isSessionReused()) socket.destroy();
    else socket.write(OK);
  });
  await using _ = peer;
  await using dialer = createTestDialer();
  const results: Array<number | string> = [];
  for (let count = 0; count < 4; count += 1) {
    results.push(await post(dialer, 'receiver.example', peer.port));
  }
  assert.deepEqual(resumed, [false, true, false, true]);
  assert.deepEqual([results[0], results[2]], [200, 200]);
});
