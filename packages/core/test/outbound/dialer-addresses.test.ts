import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import type { DialerOptions, DialRequest } from '../../src/outbound/dialer.ts';
import { createDialer } from '../../src/outbound/dialer.ts';
import { parseNetworkAllowList } from '../../src/outbound/networks.ts';
import { createAuthority } from './certificates.ts';
import { startHttpsPeer, startTcpPeer } from './peers.ts';

const authority = await createAuthority();
const identity = await authority.issue(['receiver.example', 'localhost', '127.0.0.1']);

function createTestDialer(options: Partial<DialerOptions>) {
  return createDialer({
    allow: parseNetworkAllowList('127.0.0.0/8'),
    tls: { ca: [authority.ca] },
    ...options,
  });
}

function get(url: string): DialRequest {
  return { url, method: 'GET', timeoutMs: 120_000, maxResponseBytes: 4096 };
}

const mixtures = [
  ['10.0.0.1'],
  ['127.0.0.1', '10.0.0.1'],
  ['10.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '169.254.169.254'],
  ['127.0.0.1', '::ffff:10.0.0.1'],
  ['127.0.0.1', '::1'],
  ['127.0.0.1', 'not an address'],
  ['127.0.0.1', '127.1'],
  ['127.0.0.1', ''],
  [...Array.from({ length: 50 }, (_, index) => `127.0.0.${index + 1}`), '10.0.0.1'],
];

for (const addresses of mixtures) {
  test(`a name for ${addresses.slice(-2).join(' and ')} is refused as a whole`, async () => {
    await using peer = await startHttpsPeer(identity, (_request, response) => response.end());
    await using dialer = createTestDialer({ lookup: async () => addresses });
    const result = await dialer.request(get(`https://receiver.example:${peer.port}/`));
    assert.ok(result.kind === 'error', JSON.stringify(result));
    assert.equal(result.code, 'refused_address');
    assert.doesNotMatch(result.message, /\d/);
    assert.equal(peer.connections.length, 0);
  });
}

for (const url of ['http://receiver.example/', 'https://user@receiver.example/', 'nonsense']) {
  test(`the URL ${url} is refused without asking DNS`, async () => {
    const lookup = () => Promise.reject(new Error('DNS was asked'));
    await using dialer = createTestDialer({ lookup });
    const result = await dialer.request(get(url));
    assert.equal(result.kind === 'error' && result.code, 'invalid_url');
  });
}

for (const host of ['10.0.0.1', '[::1]', '[::ffff:169.254.169.254]', '2852039166']) {
  test(`the literal address ${host} is refused`, async () => {
    await using dialer = createTestDialer({});
    const result = await dialer.request(get(`https://${host}/`));
    assert.equal(result.kind === 'error' && result.code, 'refused_address');
  });
}

test('a private receiver is reached on its allow-listed ports and on no other', async () => {
  await using peer = await startHttpsPeer(identity, (_request, response) => response.end('in'));
  const { port } = peer;
  const kinds = [];
  for (const ports of [`${port}`, `${port - 1}-${port}`, `${port - 1}`, `1-${port - 1}`]) {
    await using dialer = createTestDialer({
      allow: parseNetworkAllowList(`127.0.0.1/32:${ports}`),
      lookup: async () => ['127.0.0.1'],
    });
    const named = await dialer.request(get(`https://receiver.example:${port}/`));
    const literal = await dialer.request(get(`https://127.0.0.1:${port}/`));
    kinds.push([named, literal].map((one) => (one.kind === 'error' ? one.code : one.kind)));
  }
  assert.deepEqual(kinds, [
    ['response', 'response'],
    ['response', 'response'],
    ['refused_address', 'refused_address'],
    ['refused_address', 'refused_address'],
  ]);
});

test('localhost is dialed with the machine’s resolver where its addresses are allow-listed', async () => {
  await using peer = await startHttpsPeer(identity, (_request, response) => response.end('home'));
  const url = `https://localhost:${peer.port}/`;
  const allow = parseNetworkAllowList(`127.0.0.1/32:${peer.port},[::1]/128:${peer.port}`);
  await using allowing = createTestDialer({ allow });
  const reached = await allowing.request(get(url));
  assert.equal(reached.kind === 'response' && reached.body.toString(), 'home');
  await using refusing = createTestDialer({ allow: parseNetworkAllowList('') });
  const refused = await refusing.request(get(url));
  assert.equal(refused.kind === 'error' && refused.code, 'refused_address');
});

test('a rebinding name is dialed at its vetted address, and resolved once per request', async () => {
  await using vetted = await startHttpsPeer(identity, (_request, response) =>
    response.end('vetted'),
  );
  await using other = await startHttpsPeer(
    identity,
    (_request, response) => response.end('other'),
    {
      host: '127.0.0.2',
      port: vetted.port,
    },
  );
  const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1', '127.0.0.2']];
  let asked = 0;
  await using dialer = createTestDialer({
    allow: parseNetworkAllowList('127.0.0.1/32'),
    lookup: async () => answers[asked++] ?? [],
  });
  const outcomes = [];
  for (let count = 1; count <= 3; count += 1) {
    const result = await dialer.request(get(`https://receiver.example:${vetted.port}/`));
    outcomes.push([result.kind === 'error' ? result.code : result.body.toString(), asked]);
  }
  assert.deepEqual(outcomes, [
    ['vetted', 1],
    ['refused_address', 2],
    ['refused_address', 3],
  ]);
  assert.equal(other.connections.length, 0);
});

test('after an address refuses the connection, the next is dialed at once', async () => {
  const clock = createTestClock();
  await using peer = await startHttpsPeer(identity, (_request, response) => response.end('second'));
  await using dialer = createTestDialer({ clock, lookup: async () => ['127.0.0.2', '127.0.0.1'] });
  const result = await dialer.request(get(`https://receiver.example:${peer.port}/`));
  assert.ok(result.kind === 'response', JSON.stringify(result));
  assert.deepEqual([result.address, result.durationMs, clock.pendingTimers], ['127.0.0.1', 0, 0]);
});

test('after a certificate for another name, the next address is dialed', async () => {
  await using peer = await startHttpsPeer(identity, (_request, response) => response.end('second'));
  const wrong = await authority.issue(['other.example']);
  await using _first = await startHttpsPeer(wrong, (_request, response) => response.end('first'), {
    host: '127.0.0.2',
    port: peer.port,
  });
  await using dialer = createTestDialer({ lookup: async () => ['127.0.0.2', '127.0.0.1'] });
  const result = await dialer.request(get(`https://receiver.example:${peer.port}/`));
  assert.equal(result.kind === 'response' && result.body.toString(), 'second');
});

test('silent addresses delay the next by 250 ms each, and are disconnected', async () => {
  const clock = createTestClock();
  await using peer = await startHttpsPeer(identity, (_request, response) => response.end('third'));
  const { port } = peer;
  let closed = 0;
  const countClosed = (socket: Socket) => {
    socket.resume();
    socket.on('close', () => {
      closed += 1;
    });
  };
  await using first = await startTcpPeer(countClosed, { host: '127.0.0.2', port });
  await using second = await startTcpPeer(countClosed, { host: '127.0.0.3', port });
  await using dialer = createTestDialer({
    clock,
    lookup: async () => ['127.0.0.2', '127.0.0.3', '127.0.0.1'],
  });
  const pending = dialer.request(get(`https://receiver.example:${port}/`));
  await first.connected(1);
  await clock.advance(249);
  assert.equal(second.connections.length, 0);
  await clock.advance(1);
  await second.connected(1);
  await clock.advance(249);
  assert.equal(peer.connections.length, 0);
  await clock.advance(1);
  const result = await pending;
  assert.ok(result.kind === 'response', JSON.stringify(result));
  assert.deepEqual([result.address, result.durationMs], ['127.0.0.1', 500]);
  while (closed < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(clock.pendingTimers, 0);
});

test('address families alternate and at most eight different addresses are dialed', async () => {
  // Addresses of which no other process of this machine listens on one at the witness's port.
  const ninthAddress = '127.0.77.9';
  await using witness = await startHttpsPeer(identity, (_request, response) => response.end(), {
    host: ninthAddress,
  });
  const eight = Array.from({ length: 8 }, (_, index) => `127.0.77.${index + 1}`);
  const url = `https://receiver.example:${witness.port}/`;
  await using dialer = createTestDialer({ lookup: async () => [...eight, ...eight, ninthAddress] });
  const ninth = await dialer.request(get(url));
  assert.equal(ninth.kind === 'error' && ninth.code, 'connect');
  assert.equal(witness.connections.length, 0);
  const repeated = Array.from({ length: 8 }, () => '127.0.77.1');
  await using patient = createTestDialer({ lookup: async () => [...repeated, ninthAddress] });
  const second = await patient.request(get(url));
  assert.equal(second.kind === 'response' && second.address, ninthAddress);

  const allow = parseNetworkAllowList('127.0.0.0/8,[::1]/128');
  await using mixed = createTestDialer({
    allow,
    lookup: async () => [...eight, ninthAddress, '::1'],
  });
  const late = await mixed.request(get(url));
  assert.equal(late.kind === 'error' && late.code, 'connect');
  await using early = createTestDialer({
    allow,
    lookup: async () => ['::1', ...eight.slice(1), ninthAddress].reverse(),
  });
  const won = await early.request(get(url));
  assert.equal(won.kind === 'response' && won.address, ninthAddress);
});
