import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReplayRequest } from '../../src/index.ts';
import { createWorld } from '../world.ts';

const SINCE = '2020-01-01T00:00:00Z';

test('deliveries that fail while a recovery counts are part of its total', async (t) => {
  const retry = { delaysMs: [1_000], maxAttempts: 2, disableAfterFailures: 9, maxAgeMs: 60_000 };
  const world = await createWorld(t, { retry });
  const { webhook } = await world.subscribe(() => ({ status: 500 }));
  await world.publish(10);
  await world.passSeconds(1);
  await world.publish(10);
  await world.passSeconds(0);
  await world.clock.advance(1);
  const { context, replays } = world;
  const { id } = await replays.recover(context, webhook.id, { since: new Date(SINCE) });
  for (let steps = 0; steps < 20; steps += 1) {
    await world.replayer.runOnce();
    await world.deliverer.runOnce();
    await world.clock.advance(500);
  }
  const { status, total, done } = await replays.get(context, webhook.id, id);
  assert.deepEqual([status, total, done], ['completed', 20, 20]);
});

test('calls in code name a time or a list of types that is wrong', async (t) => {
  const world = await createWorld(t);
  const { webhook } = await world.subscribe();
  const begin = (request: object, types?: readonly string[]) => () =>
    world.replays.start(world.context, webhook.id, request as ReplayRequest, types);
  const since = new Date(0);
  const wrong = new Date(Number.NaN);
  for (const [call, field] of [
    [begin({}), 'since'],
    [begin({ since: wrong }), 'since'],
    [begin({ since: SINCE }), 'since'],
    [begin({ since, until: wrong }), 'until'],
    [begin({ since }, []), 'types'],
    [begin({ since }, 'alert.created' as never), 'types'],
  ] as const) {
    await assert.rejects(call, { kind: 'validation_failed', message: new RegExp(`^${field}: `) });
  }
});
