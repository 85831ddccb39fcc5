import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSampleCapability } from '../src/koa.ts';
import { createWorld } from './world.ts';

test('createSampleCapability returns the ~thing~ service and its five endpoints', async (t) => {
  const { runtime, storage, context } = await createWorld(t);
  const { services, groups } = createSampleCapability(runtime, { storage });
  const thing = await services.things.create(context, { name: 'First' });
  assert.deepEqual(await services.things.get(context, thing.id), thing);
  assert.deepEqual(
    groups.map(({ prefix, endpoints }) => [prefix, endpoints.length]),
    [['/api/v1', 5]],
  );
});
