import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Metrics } from '@probity/core';
import { silentMetrics } from '@probity/core';
import { createWorld } from '../world.ts';

test('each webhook attempt is counted by result, and its duration observed in seconds', async (t) => {
  const counted: unknown[] = [];
  const observed: unknown[] = [];
  const metrics: Metrics = {
    ...silentMetrics,
    count: ({ name }, labels) => counted.push([name, labels.result]),
    observe: ({ name }, labels, seconds) => observed.push([name, labels.result, seconds < 30]),
  };
  const world = await createWorld(t, { metrics });
  const { receiver } = await world.subscribe(() => ({ status: 500 }));
  await world.publish();
  await world.deliverer.runOnce();
  receiver.respondWith(() => ({ status: 204 }));
  await world.passSeconds(1);
  const results = ['http_error', 'success'];
  assert.deepEqual(
    counted,
    results.map((result) => ['probity_webhook_attempts_total', result]),
  );
  assert.deepEqual(
    observed,
    results.map((result) => ['probity_webhook_attempt_duration_seconds', result, true]),
  );
});
