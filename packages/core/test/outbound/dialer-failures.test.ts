import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import type { DialerOptions, DialRequest } from '../../src/outbound/dialer.ts';
import { createDialer } from '../../src/outbound/dialer.ts';
import type { Lookup } from '../../src/outbound/lookup.ts';
import { parseNetworkAllowList } from '../../src/outbound/networks.ts';
import { createAuthority } from './certificates.ts';
import { startHttpsPeer, startTcpPeer, startTlsPeer } from './peers.ts';

const authority = await createAuthority();
const identity = await authority.issue(['receiver.example']);

function createTestDialer(options: Partial<DialerOptions> = {}) {
  return createDialer({
    allow: parseNetworkAllowList('127.0.0.0/8'),
    lookup: async () => ['127.0.0.1'],
    tls: { ca: [authority.ca] },
    ...options,
  });
}

function post(port: number, more: Partial<DialRequest> = {}): DialRequest {
  const url = `https://receiver.example:${port}/`;
  return { url, method: 'POST', timeoutMs: 120_000, maxResponseBytes: 4096, ...more };
}

/** A promise and the function that fulfils it. */
function createSignal() {
  let fire: () => void = () => {};
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fire, fired };
}

test('a port without a listener is a connect error', async () => {
  // At another address of this machine: the port of a peer that is gone may be taken by anybody.
  await using peer = await startTcpPeer(() => {});
  await using dialer = createTestDialer({ lookup: async () => ['127.0.77.1'] });
  const result = await dialer.request(post(peer.port));
  assert.equal(result.kind === 'error' && result.code, 'connect');
});

const answers: [promise: string, answer: string, code: string][] = [
  ['a connection closed without an answer', '', 'reset'],
  ['a status line cut off', 'HTTP/1.1 20', 'reset'],
  ['headers cut off', 'HTTP/1.1 200 OK\r\nA: b\r\n', 'reset'],
  ['a body shorter than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', 'reset'],
  [
    'a chunked body cut off',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    'reset',
  ],
  ['bytes that are not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'protocol'],
  ['an unknown HTTP version', 'HTTP/9.9 200 OK\r\n\r\n', 'protocol'],
  ['a bad chunk size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'protocol'],
  [
    'two framings at once',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'protocol',
  ],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
    'protocol',
  ],
  ['a header without a name', 'HTTP/1.1 200 OK\r\n: b\r\n\r\n', 'protocol'],
  ['a header folded with a control character', 'HTTP/1.1 200 OK\r\nA: \0\r\n\r\n', 'protocol'],
  ['headers without end', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 'protocol'],
  [
    'an upgrade nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    'protocol',
  ],
];

for (const [promise, answer, code] of answers) {
  test(`${promise} ends a dialed request in a ${code} error`, async () => {
    await using peer = await startTlsPeer(identity, (socket) => socket.end(answer, 'latin1'));
    await using dialer = createTestDialer();
    const result = await dialer.request(post(peer.port));
    assert.equal(result.kind === 'error' && result.code, code, JSON.stringify(result));
  });
}

const acknowledged: ReadonlyArray<readonly [promise: string, answer: string]> = [
  ['no body before the connection closes', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'],
  ['a body shorter than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'],
  ['a body longer than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabcdef'],
  ['a body where none may be', 'HTTP/1.1 204 No Content\r\nContent-Type: text/x\r\n\r\n{}'],
  [
    'chunks where none may be',
    'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['chunks without an end', 'HTTP/1.1 202 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'],
  ['a bad chunk size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  [
    'two framings at once',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'two lengths, after an interim response',
    'HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
  ],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
  ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'],
  ['a folded line', 'HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nContent-Length: 0\r\n\r\n'],
  ['a space before a colon', 'HTTP/1.1 200 OK\r\nX-A : a\r\nContent-Length: 0\r\n\r\n'],
];

for (const [promise, answer] of acknowledged) {
  test(`a complete head with ${promise} is a response where the head suffices`, async () => {
    for (const end of [true, false]) {
      await using peer = await startTlsPeer(identity, (socket) =>
        end ? socket.end(answer, 'latin1') : socket.write(answer, 'latin1'),
      );
      await using dialer = createTestDialer();
      const more = { headSuffices: true, timeoutMs: 20_000 };
      const result = await dialer.request(post(peer.port, more));
      assert.ok(result.kind === 'response', JSON.stringify(result));
      assert.ok(result.status >= 200 && result.status < 300);
    }
  });
}

for (const [promise, answer, code] of answers) {
  if (acknowledged.some(([, other]) => other === answer)) continue;
  if (/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n/s.test(answer) && code === 'reset') continue;
  test(`${promise} is an error also where the head suffices`, async () => {
    await using peer = await startTlsPeer(identity, (socket) => socket.end(answer, 'latin1'));
    await using dialer = createTestDialer();
    const result = await dialer.request(post(peer.port, { headSuffices: true }));
    assert.equal(result.kind === 'error' && result.code, code, JSON.stringify(result));
  });
}

test('a connection reset instead of an answer is a reset error', async () => {
  await using peer = await startTlsPeer(identity, () => peer.connections[0]?.resetAndDestroy());
  await using dialer = createTestDialer();
  const result = await dialer.request(post(peer.port));
  assert.equal(result.kind === 'error' && result.code, 'reset', JSON.stringify(result));
});

test('a name without an address is told from a name server without an answer', async () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  const cases: [lookup: Lookup, code: string][] = [
    [async () => [], 'dns'],
    [failing('ENOTFOUND'), 'dns'],
    [failing('ENODATA'), 'dns'],
    [failing('ESERVFAIL'), 'dns'],
    [failing('EREFUSED'), 'dns'],
    [failing('ETIMEOUT'), 'dns_unavailable'],
    [failing('ECONNREFUSED'), 'dns_unavailable'],
  ];
  for (const [lookup, code] of cases) {
    await using dialer = createTestDialer({ lookup });
    const result = await dialer.request(post(443));
    assert.equal(result.kind === 'error' && result.code, code);
  }
});

const hanging: Lookup = () => new Promise<never>(() => {});

test('the deadline of a request covers DNS', async () => {
  const clock = createTestClock();
  await using dialer = createTestDialer({ clock, lookup: hanging });
  const pending = dialer.request(post(443, { timeoutMs: 1000 }));
  await clock.advance(999);
  assert.notEqual(clock.pendingTimers, 0);
  await clock.advance(1);
  const result = await pending;
  assert.ok(result.kind === 'error');
  assert.deepEqual([result.code, result.durationMs, clock.pendingTimers], ['timeout', 1000, 0]);
});

test('DNS has a time limit of its own, and its lookup is told to end', async () => {
  const clock = createTestClock();
  let ended = false;
  const lookup: Lookup = (_name, signal) => {
    signal.addEventListener('abort', () => {
      ended = true;
    });
    return hanging('', signal);
  };
  await using dialer = createTestDialer({ clock, lookup });
  const pending = dialer.request(post(443));
  await clock.advance(5_000);
  const result = await pending;
  assert.ok(result.kind === 'error');
  assert.deepEqual([result.code, ended, clock.pendingTimers], ['dns_unavailable', true, 0]);
});

test('more than 8 interim responses end a request, and 8 do not', async () => {
  for (const [count, code] of [
    [8, 'response'],
    [9, 'protocol'],
  ] as const) {
    await using peer = await startTlsPeer(identity, (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(count));
      if (count === 8) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    await using dialer = createTestDialer();
    const result = await dialer.request(post(peer.port));
    assert.equal(result.kind === 'error' ? result.code : result.kind, code);
  }
});

const endless: [what: string, first: string, rest: string][] = [
  ['line feeds before the response', '', '\n'],
  ["spaces before a header's value", 'HTTP/1.1 200 OK\r\nA: ', ' '],
  ["zeros of a chunk's size", 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '0'],
];

for (const [what, first, rest] of endless) {
  test(`an endless row of ${what} ends the request after 64 KiB`, async () => {
    let sent = 0;
    await using peer = await startTlsPeer(identity, (socket) => {
      socket.write(first);
      const send = () => {
        sent += 16_384;
        if (!socket.destroyed && sent < 2 ** 24) socket.write(rest.repeat(16_384), send);
      };
      send();
    });
    await using dialer = createTestDialer();
    const result = await dialer.request(post(peer.port, { maxResponseBytes: 1_000 }));
    assert.ok(result.kind === 'error');
    assert.deepEqual(
      [result.code, result.message],
      ['protocol', 'The peer sent more than 66536 bytes'],
    );
    assert.ok(sent < 2 ** 24);
  });
}

test('the deadline of a request covers a TLS handshake that hangs', async () => {
  const clock = createTestClock();
  await using peer = await startTcpPeer(() => {});
  await using dialer = createTestDialer({ clock });
  const pending = dialer.request(post(peer.port, { timeoutMs: 1000 }));
  await peer.connected(1);
  await clock.advance(1000);
  const result = await pending;
  assert.deepEqual([result.kind === 'error' && result.code, result.durationMs], ['timeout', 1000]);
});

const slowAnswers: [promise: string, first: string, drip: string][] = [
  ['headers that never come', '', ''],
  ['headers that drip', 'HTTP/1.1 200 OK\r\n', 'A: b\r\n'],
  ['1xx responses without end', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['a body that hangs', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', ''],
  ['a body that drips', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n', 'x'],
  ['a body without length that drips', 'HTTP/1.1 200 OK\r\n\r\n', 'x'],
];

for (const [promise, first, drip] of slowAnswers) {
  test(`the deadline of a dialed request covers ${promise}`, async () => {
    const clock = createTestClock();
    const asked = createSignal();
    const closed = createSignal();
    await using peer = await startTlsPeer(identity, (socket) => {
      socket.on('close', closed.fire);
      socket.write(`${first}${drip}`);
      clock.setTimer(() => socket.write(drip), 400);
      clock.setTimer(() => socket.write(drip), 800);
      asked.fire();
    });
    await using dialer = createTestDialer({ clock });
    const pending = dialer.request(post(peer.port, { timeoutMs: 1000 }));
    await asked.fired;
    for (const stepMs of [400, 400, 199]) await clock.advance(stepMs);
    assert.equal(clock.pendingTimers, 1);
    await clock.advance(1);
    const result = await pending;
    assert.ok(result.kind === 'error', JSON.stringify(result));
    assert.deepEqual([result.code, result.durationMs], ['timeout', 1000]);
    await closed.fired;
  });
}

test('a receiver that reads nothing is cut off at the deadline', async () => {
  const clock = createTestClock();
  const asked = createSignal();
  await using peer = await startTlsPeer(identity, (socket) => {
    socket.pause();
    asked.fire();
  });
  await using dialer = createTestDialer({ clock });
  const body = Buffer.alloc(32 * 1024 * 1024);
  const pending = dialer.request(post(peer.port, { timeoutMs: 1000, body }));
  await asked.fired;
  await clock.advance(1000);
  const result = await pending;
  assert.equal(result.kind === 'error' && result.code, 'timeout');
});

test('the caller’s signal ends a request at any stage', async () => {
  const reason = AbortSignal.abort();
  await using dialer = createTestDialer();
  const early = await dialer.request(post(443, { signal: reason }));
  assert.equal(early.kind === 'error' && early.code, 'aborted');

  for (const first of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc']) {
    const controller = new AbortController();
    const closed = createSignal();
    await using peer = await startTlsPeer(identity, (socket) => {
      socket.on('close', closed.fire);
      socket.write(first, () => controller.abort());
    });
    const late = await dialer.request(post(peer.port, { signal: controller.signal }));
    assert.equal(late.kind === 'error' && late.code, 'aborted');
    await closed.fired;
  }
});

test('a failed request leaves no timer and no listener behind', async () => {
  const { signal } = new AbortController();
  const clock = createTestClock();
  await using peer = await startTlsPeer(identity, (socket) => socket.end('garbage\r\n\r\n'));
  await using dialer = createTestDialer({ clock });
  await dialer.request(post(peer.port, { signal }));
  assert.equal(clock.pendingTimers, 0);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a closed dialer rejects requests and lets those in flight finish', async () => {
  const asked = createSignal();
  const answer = createSignal();
  await using peer = await startHttpsPeer(identity, async (_request, response) => {
    asked.fire();
    await answer.fired;
    response.end('done');
  });
  const dialer = createTestDialer({ idleTimeoutMs: 600_000 });
  const underWay = dialer.request(post(peer.port));
  await asked.fired;
  const closing = dialer.close();
  const refused = await dialer.request(post(peer.port));
  assert.equal(refused.kind === 'error' && refused.code, 'closed');
  answer.fire();
  await closing;
  const result = await underWay;
  assert.equal(result.kind === 'response' && result.body.toString(), 'done');
  const [socket] = peer.connections;
  assert.ok(socket !== undefined);
  if (!socket.destroyed) await once(socket, 'close');
});
