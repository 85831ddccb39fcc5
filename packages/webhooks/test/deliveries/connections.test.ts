import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import type { RawReceiver, ReceiverHandler } from '@probity/test-support';
import { startHttpsReceiver, startRawReceiver } from '@probity/test-support';
import { RETRY_PROFILES } from '../../src/index.ts';
import type { World } from '../world.ts';
import { createWorld } from '../world.ts';

type Answer = 'reset' | 'end' | 500 | 200;

/** A receiver that gives these answers in order and repeats the last one. */
function inTurn(
  world: () => World,
  answers: readonly Answer[],
  seconds: number[],
): ReceiverHandler {
  let startMs: number | null = null;
  return (_request, response) => {
    const nowMs = world().clock.now().getTime();
    startMs ??= nowMs;
    const answer = answers[Math.min(seconds.length, answers.length - 1)] ?? 200;
    seconds.push((nowMs - startMs) / 1_000);
    if (typeof answer === 'number') return { status: answer, body: 'kept alive' };
    if (answer === 'reset') response.socket?.resetAndDestroy();
    else response.socket?.destroy();
    return undefined;
  };
}

const faulty: ReadonlyArray<readonly [string, readonly Answer[]]> = [
  ['resets every request', ['reset']],
  ['closes every connection', ['end']],
  ['fails, keeps the connection, and resets the next request on it', [500, 'reset']],
  ['fails and resets alternately', [500, 'reset', 500, 'reset', 500, 'reset', 500, 'reset']],
];

for (const [what, answers] of faulty) {
  test(`a receiver that ${what} gets 5 requests, at 0, 1, 3, 7 and 15 s`, async (t) => {
    const world: World = await createWorld(t);
    const seconds: number[] = [];
    const { receiver, webhook } = await world.subscribe(inTurn(() => world, answers, seconds));
    await world.publish();
    await world.passSeconds(120);
    assert.deepEqual(seconds, [0, 1, 3, 7, 15]);
    assert.equal(receiver.requests.length, 5);
    const [delivery] = await world.deliveriesOf(webhook.id);
    assert.deepEqual([delivery?.status, delivery?.attempts.length], ['failed', 5]);
    assert.equal((await world.webhooks.get(world.context, webhook.id)).active, false);
  });

  test(`a receiver that ${what} gets at most 6 requests even with a higher threshold for disabling`, async (t) => {
    const retry = { ...RETRY_PROFILES.standard, disableAfterFailures: 50 };
    const world: World = await createWorld(t, { retry });
    const seconds: number[] = [];
    const { webhook } = await world.subscribe(inTurn(() => world, answers, seconds));
    await world.publish();
    await world.passSeconds(120);
    assert.deepEqual(seconds, [0, 1, 3, 7, 15, 31]);
    const [delivery] = await world.deliveriesOf(webhook.id);
    assert.deepEqual([delivery?.status, delivery?.attempts.length], ['failed', 6]);
  });
}

/** What a receiver does to the second request on a connection, or to a connection after its first answer. */
interface Reuse {
  readonly receiver: string;
  onRequest(socket: TLSSocket, connection: Socket | undefined, number: number): void;
  /** Attempts of each of three deliveries. */
  readonly attempts: readonly [number, number, number];
  readonly connections: number;
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const CLOSING = OK.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

const reuses: readonly Reuse[] = [
  {
    receiver: 'answers every request',
    onRequest: (socket) => socket.write(OK),
    attempts: [1, 1, 1],
    connections: 1,
  },
  {
    receiver: 'says that it closes, and does not',
    onRequest: (socket) => socket.write(CLOSING),
    attempts: [1, 1, 1],
    connections: 3,
  },
  {
    receiver: 'closes the idle connection',
    onRequest: (socket) => socket.end(OK),
    attempts: [1, 1, 1],
    connections: 3,
  },
  {
    receiver: 'resets the idle connection',
    onRequest: (socket, connection) => socket.write(OK, () => connection?.resetAndDestroy()),
    attempts: [1, 1, 1],
    connections: 3,
  },
  {
    receiver: 'answers twice',
    onRequest: (socket) => socket.write(`${OK}${OK}`),
    attempts: [1, 1, 1],
    connections: 3,
  },
  {
    receiver: 'answers again before the next request',
    onRequest: (socket, connection) => {
      // Else the second answer waits for the next request.
      connection?.setNoDelay(true);
      socket.write(OK, () => setImmediate(() => socket.write(OK)));
    },
    attempts: [1, 1, 1],
    connections: 3,
  },
  {
    receiver: 'resets when the connection is reused',
    onRequest: (socket, connection, number) =>
      number > 1 ? connection?.resetAndDestroy() : socket.write(OK),
    // The retry, and all that follow, take fresh connections.
    attempts: [1, 2, 1],
    connections: 3,
  },
  {
    receiver: 'closes when the connection is reused',
    onRequest: (socket, _connection, number) => (number > 1 ? socket.destroy() : socket.write(OK)),
    attempts: [1, 2, 1],
    connections: 3,
  },
  {
    receiver: 'half-closes when the connection is reused',
    onRequest: (socket, _connection, number) => (number > 1 ? socket.end() : socket.write(OK)),
    attempts: [1, 2, 1],
    connections: 3,
  },
  {
    receiver: 'answers garbage when the connection is reused',
    onRequest: (socket, _connection, number) => socket.write(number > 1 ? 'garbage\r\n\r\n' : OK),
    attempts: [1, 2, 1],
    connections: 3,
  },
];

for (const { receiver: what, onRequest, attempts, connections } of reuses) {
  test(`a receiver that ${what} gets one request for each attempt of three deliveries`, async (t) => {
    const world: World = await createWorld(t);
    const counts = new Map<TLSSocket, number>();
    const receiver = await startRawReceiver(t, {
      onRequest(socket, connection) {
        const number = (counts.get(socket) ?? 0) + 1;
        counts.set(socket, number);
        onRequest(socket, connection, number);
      },
    });
    const { webhook } = await world.webhooks.create(world.context, {
      url: `${receiver.url}/hook`,
      events: ['alert.created'],
    });
    for (let event = 0; event < 3; event += 1) {
      await world.publish();
      await world.deliverer.runOnce();
      await untilIdle(receiver);
    }
    await world.passSeconds(2);
    const deliveries = await world.deliveriesOf(webhook.id);
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      ['delivered', 'delivered', 'delivered'],
    );
    assert.deepEqual(deliveries.map((each) => each.attempts.length).reverse(), attempts);
    assert.equal(receiver.requests, attempts[0] + attempts[1] + attempts[2]);
    assert.equal(receiver.connections, connections);
  });
}

/** Lets what a receiver has sent or closed reach this side. */
async function untilIdle({ requests }: RawReceiver): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(requests > 0);
}

test('webhooks with the same address do not share connections, nor does a retry take one', async (t) => {
  const world: World = await createWorld(t);
  const sockets = new Set<unknown>();
  let isFailing = false;
  const receiver = await startHttpsReceiver({
    test: t,
    handler: (_request, response) => {
      sockets.add(response.socket);
      return { status: isFailing ? 500 : 200 };
    },
  });
  const create = () =>
    world.webhooks.create(world.context, {
      url: `${receiver.url}/hook`,
      events: ['alert.created'],
    });
  const [first, second] = [await create(), await create()];
  for (let event = 0; event < 3; event += 1) {
    await world.publish();
    await world.deliverer.runOnce();
  }
  assert.equal(receiver.requests.length, 6);
  assert.equal(sockets.size, 2);
  await world.webhooks.update(world.context, second.webhook.id, { active: false });
  isFailing = true;
  await world.publish();
  await world.passSeconds(3);
  const [failing] = await world.deliveriesOf(first.webhook.id);
  assert.equal(failing?.attempts.length, 3);
  // The first attempt took the kept connection.
  assert.equal(sockets.size, 4);
});
