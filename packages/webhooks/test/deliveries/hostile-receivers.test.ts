import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import type { RawBehavior } from '@probity/test-support';
import { startRawReceiver } from '@probity/test-support';
import { RETRY_PROFILES } from '../../src/index.ts';
import { createWorld } from '../world.ts';

/** Longer than what a connection takes at once, so that a receiver can act before the end of a request. */
const LONG_MESSAGE = 'x'.repeat(900_000);

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

const reset = (_socket: TLSSocket, connection?: Socket) => connection?.resetAndDestroy();
const close = (socket: TLSSocket) => socket.destroy();
const answer = (bytes: string) => (socket: TLSSocket) => socket.write(bytes, 'latin1');
const answerAndEnd = (bytes: string) => (socket: TLSSocket) => socket.end(bytes, 'latin1');
const answerAndReset = (bytes: string) => (socket: TLSSocket, connection?: Socket) =>
  socket.write(bytes, 'latin1', () => connection?.resetAndDestroy());

interface HostileCase {
  readonly receiver: string;
  readonly behavior: RawBehavior;
  /** HTTP requests of one attempt; default 1. */
  readonly requests?: 0 | 1;
  /** Default failed. */
  readonly status?: 'delivered' | 'failed';
  readonly message?: string;
}

const cases: readonly HostileCase[] = [
  {
    receiver: 'resets before TLS',
    behavior: { onConnection: (socket) => socket.resetAndDestroy() },
    requests: 0,
  },
  {
    receiver: 'ends the connection before TLS',
    behavior: { onConnection: (socket) => socket.end() },
    requests: 0,
  },
  {
    receiver: 'answers in plain HTTP',
    behavior: { onConnection: (socket) => socket.end(OK) },
    requests: 0,
  },
  {
    receiver: 'resets during a request',
    behavior: { onFirstBytes: reset },
    message: LONG_MESSAGE,
  },
  {
    receiver: 'closes during a request',
    behavior: { onFirstBytes: close },
    message: LONG_MESSAGE,
  },
  {
    receiver: 'half-closes during a request and reads on',
    behavior: { onFirstBytes: (socket) => socket.end() },
    message: LONG_MESSAGE,
  },
  { receiver: 'resets after a request', behavior: { onRequest: reset } },
  { receiver: 'closes after a request', behavior: { onRequest: close } },
  { receiver: 'half-closes after a request', behavior: { onRequest: (socket) => socket.end() } },
  {
    receiver: 'half-closes with its answer',
    behavior: { onRequest: answerAndEnd(OK) },
    status: 'delivered',
  },
  {
    receiver: 'answers and keeps the connection',
    behavior: { onRequest: answer(OK) },
    status: 'delivered',
  },
  {
    receiver: 'answers twice',
    behavior: { onRequest: answer(`${OK}${OK}`) },
    status: 'delivered',
  },
  {
    receiver: 'closes inside the headers',
    behavior: { onRequest: answerAndEnd('HTTP/1.1 200 OK\r\nContent-') },
  },
  {
    receiver: 'closes after the headers',
    behavior: { onRequest: answerAndEnd('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n') },
    status: 'delivered',
  },
  {
    receiver: 'resets inside the body',
    behavior: { onRequest: answerAndReset('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc') },
    status: 'delivered',
  },
  {
    receiver: 'answers 204 with a body',
    behavior: { onRequest: answer('HTTP/1.1 204 No Content\r\nContent-Type: a/b\r\n\r\n{}') },
    status: 'delivered',
  },
  {
    receiver: 'answers 204 in chunks',
    behavior: {
      onRequest: answer('HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    },
    status: 'delivered',
  },
  {
    receiver: 'sends more than the announced length',
    behavior: { onRequest: answer('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{"ok":1}') },
    status: 'delivered',
  },
  {
    receiver: 'answers with two framings at once',
    behavior: {
      onRequest: answer(
        'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ),
    },
    status: 'delivered',
  },
  {
    receiver: 'answers 500 and closes inside the body',
    behavior: { onRequest: answerAndEnd('HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nabc') },
  },
  {
    receiver: 'asks for the body with 100 Continue and closes',
    behavior: { onRequest: answerAndEnd('HTTP/1.1 100 Continue\r\n\r\n') },
  },
  {
    receiver: 'sends 100 Continue and answers',
    behavior: { onRequest: answer(`HTTP/1.1 100 Continue\r\n\r\n${OK}`) },
    status: 'delivered',
  },
  {
    receiver: 'sends interim responses without end',
    behavior: { onRequest: answer('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)) },
  },
  {
    receiver: 'switches the protocol',
    behavior: {
      onRequest: answer(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      ),
    },
  },
  {
    receiver: 'answers 408 and closes',
    behavior: {
      onRequest: answerAndEnd('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'),
    },
  },
  {
    receiver: 'answers 425 Too Early',
    behavior: { onRequest: answer('HTTP/1.1 425 Too Early\r\nContent-Length: 0\r\n\r\n') },
  },
  {
    receiver: 'answers 401 with a challenge',
    behavior: {
      onRequest: answer(
        'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n',
      ),
    },
  },
  {
    receiver: 'redirects to itself with 307',
    behavior: {
      onRequest: answer(
        'HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\nContent-Length: 0\r\n\r\n',
      ),
    },
  },
  {
    receiver: 'asks to try again at once',
    behavior: {
      onRequest: answer(
        'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n',
      ),
    },
  },
  { receiver: 'speaks HTTP/0.9', behavior: { onRequest: answerAndEnd('<html>ok</html>') } },
];

for (const { receiver: what, behavior, requests = 1, status = 'failed', message } of cases) {
  const attempts = status === 'delivered' ? 1 : RETRY_PROFILES.standard.maxAttempts;
  test(`a receiver that ${what} gets ${requests} request in each of ${attempts} attempts`, async (t) => {
    // So that nothing but the largest number of attempts ends them.
    const retry = { ...RETRY_PROFILES.standard, disableAfterFailures: 50 };
    const world = await createWorld(t, { retry });
    const receiver = await startRawReceiver(t, behavior);
    const { webhook } = await world.webhooks.create(world.context, {
      url: `${receiver.url}/hook`,
      events: ['alert.created'],
    });
    await world.emit(message);
    await world.relay.runOnce();
    await world.passSeconds(120);
    const [delivery] = await world.deliveriesOf(webhook.id);
    const errors = JSON.stringify(delivery?.attempts.map(({ error }) => error));
    assert.deepEqual([delivery?.status, delivery?.attempts.length], [status, attempts], errors);
    assert.equal(receiver.requests, attempts * requests, errors);
    assert.equal(receiver.connections, attempts, errors);
  });
}
