import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { createTestAuthority, startRawReceiver, testAuthority } from '@probity/test-support';
import { startTcpReceiver } from '../tcp-receiver.ts';
import { createWorld } from '../world.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const DAY_MS = 86_400_000;

const authority = await testAuthority();

async function issuedBy(
  by: typeof authority,
  options?: Parameters<typeof authority.issue>[1],
): Promise<TlsOptions> {
  const { key, certificate } = await by.issue('receiver', options);
  return { key, cert: certificate };
}

type Start = (t: TestContext) => Promise<{ readonly url: string }>;

/** A TLS server with these options, which answers 200. */
const withTls =
  (tls: TlsOptions): Start =>
  (t) =>
    startRawReceiver(t, { tls, onRequest: (socket) => socket.end(OK) });

/** A fault of a receiver, and the error of each attempt. */
const faults: ReadonlyArray<readonly [receiver: string, start: Start, error: string]> = [
  [
    'has an expired certificate',
    withTls(await issuedBy(authority, { notAfter: new Date(Date.now() - DAY_MS) })),
    'the certificate has expired; renew it',
  ],
  [
    'has a certificate for another host name',
    withTls(await issuedBy(authority, { hosts: ['other.example'] })),
    'the certificate is not for this host name; use one that names it',
  ],
  [
    'sends no intermediate certificate',
    withTls(await issuedBy(await authority.issueAuthority())),
    'the server sends no intermediate certificate, or its authority is not trusted; send the whole chain',
  ],
  [
    'has a certificate of an unknown authority',
    withTls(await issuedBy(await createTestAuthority('Unknown authority'))),
    'the server sends no intermediate certificate, or its authority is not trusted',
  ],
  [
    'offers TLS 1.1 only',
    withTls({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    'the server offers TLS 1.1 or older only; enable TLS 1.2 or 1.3',
  ],
  [
    'offers HTTP/2 only',
    withTls({ ALPNProtocols: ['h2'] }),
    'the server offers no HTTP/1.1; enable it in addition to HTTP/2',
  ],
  [
    'resets the connection in the handshake',
    (t) => startTcpReceiver(t, (socket) => socket.resetAndDestroy()),
    'the server closed the connection; see its log of TLS errors',
  ],
];

for (const [receiver, start, error] of faults) {
  test(`a receiver that ${receiver} fails 5 attempts with the remedy, and disables its webhook`, async (t) => {
    const world = await createWorld(t);
    const { url } = await start(t);
    const events = ['alert.created'];
    const { webhook } = await world.webhooks.create(world.context, { url: `${url}/hook`, events });
    const healthy = await world.subscribe();
    await world.publish();
    await world.passSeconds(20);
    const [delivery] = await world.deliveriesOf(webhook.id);
    const started = delivery?.createdAt.getTime() ?? 0;
    const seconds = delivery?.attempts.map(({ at }) => (at.getTime() - started) / 1_000);
    assert.deepEqual([delivery?.status, seconds], ['failed', [0, 1, 3, 7, 15]]);
    for (const attempt of delivery?.attempts ?? []) {
      assert.ok(
        attempt.error?.startsWith(`tls: TLS handshake failed: ${error}`),
        `${attempt.error}`,
      );
    }
    const disabled = await world.webhooks.get(world.context, webhook.id);
    assert.equal(disabled.active, false);
    assert.ok(disabled.disabledReason?.includes(error), `${disabled.disabledReason}`);
    assert.equal(healthy.receiver.requests.length, 1);
  });
}

test('the deliverer ends an attempt after 30 seconds when its handshake never ends', async (t) => {
  const world = await createWorld(t);
  let greeted: () => void = () => {};
  const isGreeted = new Promise<void>((resolve) => {
    greeted = resolve;
  });
  const { url } = await startTcpReceiver(t, greeted);
  const events = ['alert.created'];
  const { webhook } = await world.webhooks.create(world.context, { url: `${url}/hook`, events });
  await world.publish();
  const running = world.deliverer.runOnce();
  await isGreeted;
  await world.clock.advance(30_000);
  await running;
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.deepEqual(
    delivery?.attempts.map(({ error, durationMs }) => [error, durationMs]),
    [['timeout: No complete TLS handshake within 30000 ms', 30_000]],
  );
  assert.equal(delivery?.status, 'pending');
});

test('a delivery whose answer trickles is delivered two seconds after the head', async (t) => {
  const world = await createWorld(t);
  let answered: () => void = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const receiver = await startRawReceiver(t, {
    onRequest: (socket) =>
      socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 99\r\n\r\n{', answered),
  });
  const { webhook } = await world.webhooks.create(world.context, {
    url: `${receiver.url}/hook`,
    events: ['alert.created'],
  });
  await world.publish();
  const running = world.deliverer.runOnce();
  await isAnswered;
  while (world.clock.pendingTimers < 2) await new Promise((resolve) => setImmediate(resolve));
  await world.clock.advance(2_000);
  await running;
  const [delivery] = await world.deliveriesOf(webhook.id);
  assert.equal(delivery?.status, 'delivered');
  assert.deepEqual(
    delivery?.attempts.map(({ at: _, ...rest }) => rest),
    [{ number: 1, durationMs: 2_000, responseStatus: 202, responseBody: '{', error: null }],
  );
});
