import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobHandler } from '../../src/jobs/outcome.ts';
import { done } from '../../src/jobs/outcome.ts';
import type { NewJob } from '../../src/jobs/storage.ts';
import { createHeldWorld, createWorkerWorld } from './worker-world.ts';

/** Jobs of a tenant, each in a group of its own. */
function jobsOf(tenantId: string, count: number): Array<Partial<NewJob>> {
  return Array.from({ length: count }, (_, index) => {
    const group = `${tenantId}_${index}`;
    return { id: `job_${group}`, tenantId, group };
  });
}

function countOf(tenants: ReadonlyArray<string | null>, tenantId: string): number {
  return tenants.filter((each) => each === tenantId).length;
}

test('a tenant whose jobs do not end leaves places that the job of another gets at once', async (t) => {
  const world = createHeldWorld(t, { concurrency: 8 });
  await world.worker.start();
  await world.enqueue(...jobsOf('greedy', 200));
  await world.settle();
  assert.equal(world.held.started.length, 6);
  await world.enqueue(...jobsOf('late', 1));
  await world.settle();
  assert.equal(world.held.started.at(-1), 'job_late_0');
});

test('three tenants with slow jobs leave places of the hard limit for a fourth', async (t) => {
  const world = createHeldWorld(t, { concurrency: 16, hardLimit: 100 });
  await world.worker.start();
  await world.enqueue(...['a', 'b', 'c'].flatMap((tenant) => jobsOf(tenant, 120)));
  await world.clock.advance(60_000);
  const held = world.held.tenants();
  for (const tenant of ['a', 'b', 'c']) {
    const count = countOf(held, tenant);
    assert.ok(count >= 28 && count <= 32, `${count} of ${tenant}`);
  }
  await world.enqueue(...jobsOf('late', 3));
  await world.settle();
  assert.equal(countOf(world.held.tenants(), 'late'), 3);
});

test('tenants that hold no job share the last free places, one each', async (t) => {
  const world = createHeldWorld(t, { concurrency: 4 });
  await world.worker.start();
  for (const tenant of ['a', 'b', 'c', 'd', 'e']) {
    await world.enqueue(...jobsOf(tenant, 9));
    await world.settle();
  }
  assert.deepEqual(world.held.tenants(), ['a', 'a', 'a', 'b']);
  world.held.release('job_a_0');
  await world.settle();
  assert.deepEqual(world.held.tenants(), ['a', 'a', 'b', 'c']);
});

test('a place that becomes free is given to the tenant whose turn is next', async (t) => {
  const world = createHeldWorld(t, { concurrency: 1 });
  await world.worker.start();
  await world.enqueue(...['a', 'b', 'c'].flatMap((tenant) => jobsOf(tenant, 2)));
  await world.settle();
  for (let turn = 0; turn < 5; turn += 1) {
    world.held.release(world.held.started.at(-1) as string);
    await world.settle();
  }
  const order = ['a_0', 'b_0', 'c_0', 'a_1', 'b_1', 'c_1'];
  assert.deepEqual(
    world.held.started,
    order.map((lane) => `job_${lane}`),
  );
});

test('a job begins when it is due although the jobs of another tenant wait for places', async (t) => {
  const world = createHeldWorld(t, { concurrency: 8, pollMs: 1_000 });
  await world.worker.start();
  await world.enqueue(...jobsOf('greedy', 100));
  const dueAt = new Date(world.clock.now().getTime() + 300);
  await world.enqueue({ ...jobsOf('late', 1)[0], dueAt });
  await world.clock.advance(299);
  assert.equal(countOf(world.held.tenants(), 'late'), 0);
  await world.clock.advance(1);
  assert.equal(countOf(world.held.tenants(), 'late'), 1);
});

test('few jobs start at a time, and a tenant without one never waits for those of others', async (t) => {
  const waiting = new Map<string, () => void>();
  const ended = new AbortController();
  const handler: JobHandler = (job, _signal, isWaiting) => {
    waiting.set(job.id, isWaiting);
    return new Promise((resolve) => ended.signal.addEventListener('abort', () => resolve(done())));
  };
  const world = createWorkerWorld(handler, { startConcurrency: 8 });
  t.after(async () => {
    ended.abort();
    await world.worker.stop();
  });
  await world.worker.start();
  await world.enqueue(...jobsOf('greedy', 200));
  await world.settle();
  assert.equal(waiting.size, 6);
  await world.enqueue(...jobsOf('late', 1));
  await world.settle();
  assert.ok(waiting.has('job_late_0'));
  // Half of the places are free before others start: a claim takes several jobs.
  for (const id of ['job_greedy_0', 'job_late_0']) waiting.get(id)?.();
  await world.settle();
  assert.equal(waiting.size, 7);
  waiting.get('job_greedy_1')?.();
  await world.settle();
  assert.equal(waiting.size, 9);
  // Those that do not say that they wait count for 100 ms.
  await world.clock.advance(100);
  assert.equal(waiting.size, 15);
});

test('one tenant uses all places of a worker whose share is 1', async (t) => {
  const world = createHeldWorld(t, { concurrency: 8, tenantShare: 1 });
  await world.worker.start();
  await world.enqueue(...jobsOf('a', 20));
  await world.settle();
  assert.equal(world.held.started.length, 8);
});

test('a share that is not above 0 and at most 1 is refused', () => {
  for (const tenantShare of [0, -1, 1.1, Number.NaN]) {
    assert.throws(() => createWorkerWorld(async () => done(), { tenantShare }), {
      name: 'RangeError',
      message: 'tenantShare must be a number above 0 and at most 1',
    });
  }
});
