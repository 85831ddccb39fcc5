import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceiverHandler } from '@probity/test-support';
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

test('a connection reset between two deliveries costs neither delivery an attempt', async (t) => {
  const world: World = await createWorld(t);
  const asked = new Map<unknown, number>();
  const { receiver, webhook } = await world.subscribe((_request, response) => {
    const { socket } = response;
    const count = (asked.get(socket) ?? 0) + 1;
    asked.set(socket, count);
    // A server that closes idle connections just as the next request arrives.
    if (count > 1) socket?.resetAndDestroy();
    return count > 1 ? undefined : { status: 200 };
  });
  for (let event = 0; event < 3; event += 1) {
    await world.publish();
    await world.deliverer.runOnce();
  }
  const deliveries = await world.deliveriesOf(webhook.id);
  assert.deepEqual(
    deliveries.map(({ status, attempts }) => [status, attempts.length]),
    [
      ['delivered', 1],
      ['delivered', 1],
      ['delivered', 1],
    ],
  );
  assert.equal(receiver.requests.length, 3);
});
