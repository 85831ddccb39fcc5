import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldWorld } from './worker-world.ts';

function jobsOf(group: string, count: number): Array<{ id: string; group: string }> {
  return Array.from({ length: count }, (_, index) => ({ id: `job_${group}${index}`, group }));
}

function jobOfTenant(tenantId: string): { id: string; tenantId: string; group: string } {
  return { id: `job_${tenantId}`, tenantId, group: tenantId };
}

test('no group has more concurrent jobs than its limit; the next starts when one ends', async (t) => {
  const world = createHeldWorld(t, { groupConcurrency: 2 });
  await world.worker.start();
  await world.enqueue(...jobsOf('a', 5), ...jobsOf('b', 5));
  await world.settle();
  assert.deepEqual(world.held.groups(), ['a', 'a', 'b', 'b']);
  world.held.release('job_a0');
  await world.settle();
  assert.deepEqual(world.held.groups(), ['a', 'a', 'b', 'b']);
  assert.equal(world.held.started.length, 5);
});

test("all groups together have no more concurrent jobs than the worker's limit", async (t) => {
  const world = createHeldWorld(t, { concurrency: 3 });
  await world.worker.start();
  await world.enqueue(...'abcdefgh'.split('').map(jobOfTenant));
  await world.settle();
  assert.equal(world.held.started.length, 3);
  world.held.release(world.held.started[0] as string);
  await world.settle();
  assert.equal(world.held.started.length, 4);
});

test('slow jobs free their places, so that they delay no other jobs', async (t) => {
  const world = createHeldWorld(t, { concurrency: 2, slowAfterMs: 1_000 });
  await world.worker.start();
  await world.enqueue(jobOfTenant('slow1'), jobOfTenant('slow2'));
  await world.settle();
  await world.enqueue(jobOfTenant('quick'));
  await world.clock.advance(900);
  assert.deepEqual(world.held.groups(), ['slow1', 'slow2']);
  await world.clock.advance(1_200);
  assert.deepEqual(world.held.groups(), ['quick', 'slow1', 'slow2']);
});

test('a group with a slow job is limited to two concurrent jobs', async (t) => {
  const world = createHeldWorld(t, { groupConcurrency: 8 });
  await world.worker.start();
  await world.enqueue(...jobsOf('slow', 1));
  await world.clock.advance(1_500);
  await world.enqueue(...jobsOf('slow', 6).slice(1), ...jobsOf('other', 6));
  await world.settle();
  assert.equal(world.held.groups().filter((group) => group === 'slow').length, 2);
  assert.equal(world.held.groups().filter((group) => group === 'other').length, 6);
});

test('a group whose last job was slow begins two jobs at a time until one is quick', async (t) => {
  const world = createHeldWorld(t, { groupConcurrency: 8 });
  const ofGroup = () => world.held.groups().length;
  await world.worker.start();
  await world.enqueue(...jobsOf('slow', 20));
  await world.settle();
  assert.equal(ofGroup(), 8);
  await world.clock.advance(2_000);
  world.held.releaseAll();
  await world.settle();
  assert.equal(ofGroup(), 2);
  world.held.releaseAll();
  await world.settle();
  assert.equal(ofGroup(), 8);
});

test("slow jobs count against the worker's hard limit", async (t) => {
  const world = createHeldWorld(t, { concurrency: 2, hardLimit: 3 });
  await world.worker.start();
  await world.enqueue(...'abcdef'.split('').map(jobOfTenant));
  await world.clock.advance(20_000);
  assert.equal(world.held.started.length, 3);
  world.held.release(world.held.started[0] as string);
  await world.settle();
  assert.equal(world.held.started.length, 4);
});

test('a worker does not poll repeatedly while a group is full', async (t) => {
  const world = createHeldWorld(t, { groupConcurrency: 1 });
  let looks = 0;
  const { kernel } = world.database;
  world.database.kernel = (session) => {
    looks += 1;
    return kernel(session);
  };
  await world.worker.start();
  await world.enqueue(...jobsOf('full', 20));
  await world.clock.advance(900);
  assert.ok(looks < 15, `${looks} looks`);
});
