import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewJob } from '../../src/jobs/storage.ts';
import type { Database } from '../../src/storage/database.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { claim, enqueue, newJob, START } from '../../src/testing/records.ts';
import { createHeldWorld } from './worker-world.ts';

test('abandoned jobs of one tenant delay none of another tenant, and each other for a second', async (t) => {
  const database = createMemoryDatabase();
  await abandonTwice(database, [...suspectsOf('greedy', 6), ...suspectsOf('late', 2)]);
  const world = createHeldWorld(t, { database });
  await world.worker.start();
  await world.settle();
  const started = () => world.held.started;
  assert.deepEqual(started(), ['job_greedy_0', 'job_late_0']);
  world.held.release('job_late_0');
  await world.settle();
  assert.deepEqual(started().slice(2), ['job_late_1']);
  await world.clock.advance(900);
  assert.equal(started().length, 3);
  await world.clock.advance(1_200);
  assert.deepEqual(started().slice(3), ['job_greedy_1']);
});

test('a job that was abandoned four times runs when no other suspect does, and lets none begin', async (t) => {
  const database = createMemoryDatabase();
  const [lone, other] = [...suspectsOf('a', 1), ...suspectsOf('b', 1)] as [NewJob, NewJob];
  await abandonTwice(database, [lone, other]);
  for (const hours of [4, 3]) await abandonAt(database, -hours, new Set([other.id]));
  const world = createHeldWorld(t, { database });
  await world.worker.start();
  await world.clock.advance(20_000);
  assert.deepEqual(world.held.started, [lone.id]);
  world.held.release(lone.id);
  await world.settle();
  assert.deepEqual(world.held.started, [lone.id, other.id]);
});

/** Jobs that were due a day ago, each in a group of its own. */
function suspectsOf(tenantId: string, count: number): NewJob[] {
  return Array.from({ length: count }, (_, index) => {
    const group = `${tenantId}_${index}`;
    const dueAt = new Date(START.getTime() - 24 * HOUR_MS);
    return newJob({ id: `job_${group}`, tenantId, group, dueAt });
  });
}

const HOUR_MS = 3_600_000;

async function abandonTwice(database: Database, jobs: readonly NewJob[]): Promise<void> {
  await enqueue(database, ...jobs);
  for (const hours of [6, 5]) await abandonAt(database, -hours);
}

/** Claims all jobs but the excluded, for ten seconds, so many hours after the start. */
async function abandonAt(
  database: Database,
  hours: number,
  excludedIds: ReadonlySet<string> = new Set(),
): Promise<void> {
  const now = new Date(START.getTime() + hours * HOUR_MS);
  await claim(database, 'dead', { now, limit: 99, excludedIds });
}
