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
