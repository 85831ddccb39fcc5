import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done } from '../../src/jobs/outcome.ts';
import { countingClaims, createWorkerWorld } from './worker-world.ts';

test('jobs of a group with a limit begin as soon as it permits, without a poll in between', async (t) => {
  const startedMs: Record<string, number[]> = { limited: [], free: [] };
  const { database, claims } = countingClaims();
  const world = createWorkerWorld(
    async ({ group }) => {
      startedMs[group]?.push(world.clock.monotonicMs());
      return done();
    },
    { database, pollMs: 60_000 },
  );
  t.after(() => world.worker.stop());
  const group = { queue: 'test', tenantId: 'tenant', group: 'limited' };
  await database.transaction((session) =>
    database.kernel(session).setJobGroup(group, { startsPerSecond: 2, isOrdered: false }),
  );
  await world.worker.start();
  const jobs = (group: string, count: number) => Array.from({ length: count }, () => ({ group }));
  await world.enqueue(...jobs('limited', 6), ...jobs('free', 20));
  await world.settle();
  assert.equal(startedMs.free?.length, 20);
  assert.equal(startedMs.limited?.length, 2);
  const before = claims();
  await world.clock.advance(1_099);
  assert.deepEqual(startedMs.limited, [0, 0]);
  assert.ok(claims() - before <= 2, `${claims() - before} claims while nothing may begin`);
  await world.clock.advance(2_000);
  assert.deepEqual(startedMs.limited, [0, 0, 1_100, 1_100, 2_200, 2_200]);
  assert.ok(claims() - before <= 8, `${claims() - before} claims`);
});

test('more jobs start at once while they start cheaply, up to all places', async (t) => {
  const begun: Array<(isCheap?: boolean) => void> = [];
  const world = createWorkerWorld(
    (_job, _signal, waiting) => {
      begun.push(waiting);
      return new Promise(() => undefined);
    },
    { startConcurrency: 2, concurrency: 16, groupConcurrency: 100, tenantShare: 1, slowAfterMs: 1 },
  );
  t.after(() => void world.worker.stop());
  await world.worker.start();
  await world.enqueue(...Array.from({ length: 60 }, (_, index) => ({ group: `${index}` })));
  await world.settle();
  /** Has all jobs that start wait for others; returns how many start after them. */
  const proceed = async (isCheap: boolean) => {
    for (const waiting of begun.splice(0)) waiting(isCheap);
    // Those that wait are slow by now, and take no place.
    await world.clock.advance(10);
    await world.settle();
    return begun.length;
  };
  assert.equal(begun.length, 2);
  const counts: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) counts.push(await proceed(true));
  assert.deepEqual(counts.slice(-2), [16, 16], String(counts));
  assert.equal(await proceed(false), 2);
});
