import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkerWorld, holdJobs } from './worker-world.ts';

function jobsOf(group: string, count: number): Array<{ id: string; group: string }> {
  return Array.from({ length: count }, (_, index) => ({ id: `job_${group}${index}`, group }));
}

test('no group has more concurrent jobs than its limit; the next starts when one ends', async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, { groupConcurrency: 2 });
  await world.worker.start();
  await world.enqueue(...jobsOf('a', 5), ...jobsOf('b', 5));
  await world.settle();
  assert.deepEqual(held.groups(), ['a', 'a', 'b', 'b']);
  held.release('job_a0');
  await world.settle();
  assert.deepEqual(held.groups(), ['a', 'a', 'b', 'b']);
  assert.equal(held.started.length, 5);
  held.releaseAll();
  await world.worker.stop();
});

test("all groups together have no more concurrent jobs than the worker's limit", async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, { concurrency: 3 });
  await world.worker.start();
  await world.enqueue(...'abcdefgh'.split('').flatMap((group) => jobsOf(group, 1)));
  await world.settle();
  assert.equal(held.started.length, 3);
  held.release(held.started[0] as string);
  await world.settle();
  assert.equal(held.started.length, 4);
  held.releaseAll();
  await world.worker.stop();
});

test('slow jobs free their places, so that they delay no other jobs', async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, { concurrency: 2, slowAfterMs: 1_000 });
  await world.worker.start();
  await world.enqueue(...jobsOf('slow1', 1), ...jobsOf('slow2', 1));
  await world.settle();
  await world.enqueue(...jobsOf('quick', 1));
  await world.clock.advance(900);
  assert.deepEqual(held.groups(), ['slow1', 'slow2']);
  await world.clock.advance(1_200);
  assert.deepEqual(held.groups(), ['quick', 'slow1', 'slow2']);
  held.releaseAll();
  await world.worker.stop();
});

test('a group with a slow job is limited to two concurrent jobs', async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, { groupConcurrency: 8 });
  await world.worker.start();
  await world.enqueue(...jobsOf('slow', 1));
  await world.clock.advance(1_500);
  await world.enqueue(...jobsOf('slow', 6).slice(1), ...jobsOf('other', 6));
  await world.settle();
  assert.equal(held.groups().filter((group) => group === 'slow').length, 2);
  assert.equal(held.groups().filter((group) => group === 'other').length, 6);
  held.releaseAll();
  await world.worker.stop();
});

test("slow jobs count against the worker's hard limit", async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, { concurrency: 2, hardLimit: 3 });
  await world.worker.start();
  await world.enqueue(...'abcdef'.split('').flatMap((group) => jobsOf(group, 1)));
  await world.clock.advance(20_000);
  assert.equal(held.started.length, 3);
  held.release(held.started[0] as string);
  await world.settle();
  assert.equal(held.started.length, 4);
  held.releaseAll();
  await world.worker.stop();
});

test('a worker does not poll repeatedly while a group is full', async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, { groupConcurrency: 1 });
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
  held.releaseAll();
  await world.worker.stop();
});
