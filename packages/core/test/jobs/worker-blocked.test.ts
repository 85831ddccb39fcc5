import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countingClaims, createHeldWorld } from './worker-world.ts';

const FULL = { tenantId: 'full', group: 'x' };

/** Eight jobs in progress, the most of their group, and two that wait for them. */
const TEN = Array.from({ length: 10 }, (_, index) => ({ ...FULL, id: `job_${index}` }));

test('a job that ends causes no claim when none of those that wait was waiting for it', async (t) => {
  const { database, claims } = countingClaims();
  const world = createHeldWorld(t, { database });
  await world.worker.start();
  await world.enqueue(...TEN);
  await world.enqueue({ id: 'other', tenantId: 'other' });
  await world.settle();
  assert.equal(world.held.started.length, 9);
  const before = claims();
  world.held.release('other');
  await world.settle();
  assert.equal(claims(), before);
  world.held.release('job_0');
  await world.settle();
  assert.equal(world.held.started.at(-1), 'job_8');
});

test('a new job of a tenant whose other jobs wait begins at once', async (t) => {
  const world = createHeldWorld(t, {});
  await world.worker.start();
  await world.enqueue(...TEN);
  await world.settle();
  await world.enqueue({ id: 'other', tenantId: 'other' });
  await world.settle();
  await world.enqueue({ id: 'new', tenantId: 'full', group: 'y' });
  await world.settle();
  assert.equal(world.held.started.at(-1), 'new');
});

test('a job of a tenant whose other jobs wait begins when it is due', async (t) => {
  const world = createHeldWorld(t, { pollMs: 60_000 });
  await world.worker.start();
  const dueAt = new Date(world.clock.now().getTime() + 5_000);
  await world.enqueue(...TEN, { id: 'later', tenantId: 'full', group: 'y', dueAt });
  await world.settle();
  await world.clock.advance(4_999);
  // A claim right before the job is due passes over its tenant.
  await world.enqueue({ id: 'other', tenantId: 'other' });
  await world.settle();
  assert.equal(world.held.started.at(-1), 'other');
  await world.clock.advance(1);
  assert.equal(world.held.started.at(-1), 'later');
});

test('jobs that end while a claim is in progress let those that wait begin without a poll', async (t) => {
  const { database, claims, hold } = countingClaims();
  const world = createHeldWorld(t, { database, pollMs: 60_000 });
  await world.worker.start();
  await world.enqueue(
    ...Array.from({ length: 30 }, (_, index) => ({ ...FULL, id: `job_${index}` })),
  );
  await world.settle();
  assert.equal(world.held.started.length, 8);
  const resume = hold();
  const before = claims();
  // The claim that follows finds one place, and the others become free before it ends.
  world.held.release('job_0');
  await world.settle();
  assert.equal(claims(), before + 1);
  for (const id of world.held.started.slice(1)) world.held.release(id);
  await world.settle();
  resume();
  await world.settle();
  assert.equal(world.held.started.length, 16);
});
