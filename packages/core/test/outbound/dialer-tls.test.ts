import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { createTestAuthority, createTestClock, startRawReceiver } from '@probity/test-support';
import type { Clock } from '../../src/clock.ts';
import type { DialRequest } from '../../src/outbound/dialer.ts';
import { createDialer } from '../../src/outbound/dialer.ts';
import { parseNetworkAllowList } from '../../src/outbound/networks.ts';
import { startTcpPeer } from './peers.ts';

const HOST = 'receiver.example';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const DAY_MS = 86_400_000;

const authority = await createTestAuthority();
const intermediate = await authority.issueAuthority();
const { key, certificate: cert } = await authority.issue('receiver', { hosts: [HOST] });
const valid = { key, cert };

/** An identity of this authority. */
async function issuedBy(
  by: typeof authority,
  options: Parameters<typeof authority.issue>[1] = {},
): Promise<TlsOptions> {
  const issued = await by.issue('receiver', { hosts: [HOST], ...options });
  return { key: issued.key, cert: issued.certificate };
}

const dialer = (clock?: Clock) =>
  createDialer({
    allow: parseNetworkAllowList('127.0.0.0/8'),
    lookup: async () => ['127.0.0.1'],
    tls: { ca: [authority.certificate] },
    clock,
  });

function post(port: number, more: Partial<DialRequest> = {}): DialRequest {
  const url = `https://${HOST}:${port}/`;
  return { url, method: 'POST', timeoutMs: 120_000, maxResponseBytes: 4096, body: '{}', ...more };
}

const byIntermediate = await issuedBy(intermediate);

/** TLS of a receiver, and the failure that a request to it ends in. */
const refused: ReadonlyArray<readonly [what: string, tls: TlsOptions, fault: string]> = [
  [
    'a certificate that has expired',
    await issuedBy(authority, { notAfter: new Date(Date.now() - DAY_MS) }),
    'the certificate has expired; renew it (CERT_HAS_EXPIRED)',
  ],
  [
    'a certificate that is not valid yet',
    await issuedBy(authority, { notAfter: new Date(Date.now() + 9 * DAY_MS) }),
    'the certificate is not valid yet; check the clocks of both sides (CERT_NOT_YET_VALID)',
  ],
  [
    'a certificate for another name',
    await issuedBy(authority, { hosts: ['other.example'] }),
    'the certificate is not for this host name; use one that names it (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
  [
    'a certificate for the address but not the name',
    await issuedBy(authority, { hosts: ['127.0.0.1'] }),
    'the certificate is not for this host name; use one that names it (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
  [
    'a chain that ends in an unknown authority',
    await (async () => {
      const stranger = await createTestAuthority('Unknown authority');
      const own = await issuedBy(stranger);
      return { ...own, cert: `${own.cert}\n${stranger.certificate}` };
    })(),
    'the authority of the certificate is not trusted; use one of a public authority, or start Probity with NODE_EXTRA_CA_CERTS naming the authority (SELF_SIGNED_CERT_IN_CHAIN)',
  ],
  [
    'a chain without its intermediate certificate',
    byIntermediate,
    'the server sends no intermediate certificate, or its authority is not trusted; send the whole chain, or start Probity with NODE_EXTRA_CA_CERTS naming the authority (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ],
  [
    'TLS 1.1 only',
    { ...valid, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    'the server offers TLS 1.1 or older only; enable TLS 1.2 or 1.3',
  ],
  [
    'HTTP/2 only',
    { ...valid, ALPNProtocols: ['h2'] },
    'the server offers no HTTP/1.1; enable it in addition to HTTP/2',
  ],
  [
    'no cipher suite in common',
    { ...valid, maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' },
    'the server shares no cipher suite, or demands a client certificate; allow ECDHE suites, and turn client certificates off',
  ],
  [
    'a demand for a client certificate, by TLS 1.3',
    { ...valid, requestCert: true, minVersion: 'TLSv1.3' },
    'the server demands a client certificate; turn that off for this address',
  ],
];

for (const [what, tls, fault] of refused) {
  test(`a request fails with the remedy when its receiver has ${what}`, async (t) => {
    let isAsked = false;
    const receiver = await startRawReceiver(t, { tls, onFirstBytes: () => (isAsked = true) });
    await using own = dialer();
    const result = await own.request(post(receiver.port, { headSuffices: true }));
    assert.ok(result.kind === 'error', JSON.stringify(result));
    assert.equal(result.code, 'tls');
    assert.ok(result.message.startsWith(`TLS handshake failed: ${fault}`), result.message);
    assert.equal(isAsked, false);
  });
}

test('a request fails with the remedy when its receiver has a self-signed certificate', async (t) => {
  const { generate } = await import('selfsigned');
  const own = await generate([{ name: 'commonName', value: HOST }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: HOST }] }],
  });
  const receiver = await startRawReceiver(t, { tls: { key: own.private, cert: own.cert } });
  await using dialing = dialer();
  const result = await dialing.request(post(receiver.port));
  assert.ok(result.kind === 'error');
  assert.equal(
    `${result.code}: ${result.message}`,
    'tls: TLS handshake failed: the certificate is self-signed; use one of a public authority, or start Probity with NODE_EXTRA_CA_CERTS naming the authority (DEPTH_ZERO_SELF_SIGNED_CERT)',
  );
});

test('a chain with its intermediate certificate is accepted', async (t) => {
  const cert = `${byIntermediate.cert}\n${intermediate.certificate}`;
  const receiver = await startRawReceiver(t, {
    tls: { ...byIntermediate, cert },
    onRequest: (socket) => socket.end(OK),
  });
  await using own = dialer();
  const result = await own.request(post(receiver.port));
  assert.equal(result.kind === 'response' && result.status, 200, JSON.stringify(result));
});

const CLOSED =
  'the server closed the connection; see its log of TLS errors, and firewalls in between (ECONNRESET)';
const NO_TLS = 'the port does not speak TLS; use the port of https';

const handshakes: ReadonlyArray<
  readonly [what: string, act: Parameters<typeof startTcpPeer>[0], fault: string]
> = [
  ['is reset', (socket) => socket.once('data', () => socket.resetAndDestroy()), CLOSED],
  ['is closed', (socket) => socket.once('data', () => socket.end()), CLOSED],
  ['is answered in plain HTTP', (socket) => socket.once('data', () => socket.end(OK)), NO_TLS],
];

for (const [what, act, fault] of handshakes) {
  test(`a request fails with the remedy when its TLS handshake ${what}`, async () => {
    await using peer = await startTcpPeer(act);
    await using own = dialer();
    const result = await own.request(post(peer.port));
    assert.ok(result.kind === 'error', JSON.stringify(result));
    assert.equal(result.code, 'tls');
    assert.ok(result.message.startsWith(`TLS handshake failed: ${fault}`), result.message);
  });
}

test('the failure at the deadline names the phase that did not end', async () => {
  const clock = createTestClock();
  let greeted: () => void = () => {};
  const isGreeted = new Promise<void>((resolve) => {
    greeted = resolve;
  });
  await using peer = await startTcpPeer((socket) => socket.once('data', greeted));
  await using own = dialer(clock);
  const pending = own.request(post(peer.port, { timeoutMs: 1_000 }));
  await isGreeted;
  await clock.advance(1_000);
  const result = await pending;
  assert.equal(
    result.kind === 'error' && `${result.code}: ${result.message}`,
    'timeout: No complete TLS handshake within 1000 ms',
  );
});

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n';

/** Acts of a receiver that has sent a complete head. */
const afterHead: ReadonlyArray<
  readonly [what: string, act: (socket: TLSSocket, transport?: Socket) => void]
> = [
  ['renegotiates', (socket) => socket.renegotiate({}, () => socket.destroy())],
  ['closes without a close_notify', (_socket, transport) => transport?.destroy()],
  ['resets the connection', (_socket, transport) => transport?.resetAndDestroy()],
  ['sends bytes outside of TLS', (_socket, transport) => transport?.write('garbage')],
  ['sends garbage', (socket) => socket.write('\0\x7f garbage')],
];

for (const [what, act] of afterHead) {
  test(`a receiver that ${what} after its head has answered where the head suffices`, async (t) => {
    const clock = createTestClock();
    const receiver = await startRawReceiver(t, {
      tls: { ...valid, maxVersion: 'TLSv1.2' },
      onRequest(socket, transport) {
        socket.write(HEAD, () => setImmediate(() => act(socket, transport)));
      },
    });
    await using own = dialer(clock);
    const result = await own.request(post(receiver.port, { headSuffices: true }));
    assert.ok(result.kind === 'response', JSON.stringify(result));
    assert.deepEqual([result.status, result.truncated], [200, true]);
    assert.equal(clock.pendingTimers, 0);
  });
}

test('the dialer cuts off a trickling body two seconds after a head that suffices', async (t) => {
  const clock = createTestClock();
  let asked: () => void = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const receiver = await startRawReceiver(t, {
    tls: valid,
    onRequest: (socket) => socket.write(`${HEAD}o`, asked),
  });
  await using own = dialer(clock);
  const pending = own.request(post(receiver.port, { headSuffices: true }));
  await isAsked;
  // The deadline of the request, and the one of its body.
  while (clock.pendingTimers < 2) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(1_999);
  assert.equal(clock.pendingTimers, 2);
  await clock.advance(1);
  const result = await pending;
  assert.ok(result.kind === 'response', JSON.stringify(result));
  assert.deepEqual(
    [result.status, result.body.toString(), result.truncated, result.durationMs],
    [200, 'o', true, 2_000],
  );
  assert.equal(clock.pendingTimers, 0);
});
