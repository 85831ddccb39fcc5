import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, retryAt } from '../../src/jobs/outcome.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { claim } from '../../src/testing/records.ts';
import { createWorkerWorld, holdJobs } from './worker-world.ts';

/** A database in memory whose transactions fail while `isDown`. */
function createFlakyDatabase() {
  const database = createMemoryDatabase();
  const outage = { isDown: false };
  return {
    outage,
    database: {
      ...database,
      transaction: ((work) =>
        outage.isDown
          ? Promise.reject(new Error('down'))
          : database.transaction(work)) as typeof database.transaction,
    },
  };
}

test('a worker does not claim a job again that it has in hand, even when its lease ran out', async () => {
  const held = holdJobs();
  const { database, outage } = createFlakyDatabase();
  const retry = { delaysMs: [1], maxAttempts: 1 };
  const world = createWorkerWorld(held.handler, { database, retry });
  await world.worker.start();
  await world.enqueue({ id: 'job_1' });
  await world.settle();
  outage.isDown = true;
  await world.clock.advance(20_000);
  outage.isDown = false;
  await world.clock.advance(4_000);
  const reads = database.kernel(database.reader);
  assert.deepEqual([held.started, await reads.countFailedJobs('test')], [['job_1'], 0]);
  let applied = 0;
  held.release(
    'job_1',
    done(async () => {
      applied += 1;
    }),
  );
  await world.settle();
  assert.deepEqual([applied, await world.count(), held.started], [1, 0, ['job_1']]);
  await world.worker.stop();
});

test('a job in hand whose lease was lost and ran out again is run once its first run has ended', async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler);
  await world.worker.start();
  await world.enqueue({ id: 'job_1' });
  await world.settle();
  const now = new Date(world.clock.now().getTime() + 15_000);
  await claim(world.database, 'dead', { now, leaseUntil: new Date(now.getTime() + 1_000) });
  await world.clock.advance(30_000);
  assert.deepEqual(held.started, ['job_1']);
  let isStaleStored = false;
  held.release(
    'job_1',
    done(async () => {
      isStaleStored = true;
    }),
  );
  await world.settle();
  assert.deepEqual([isStaleStored, held.started], [false, ['job_1', 'job_1']]);
  held.releaseAll();
  await world.settle();
  assert.equal(await world.count(), 0);
  await world.worker.stop();
});

test('each claim has a lease token that no other has', async () => {
  const tokens: string[] = [];
  const world = createWorkerWorld(async (job) => {
    tokens.push(job.leaseToken);
    return tokens.length < 3 ? retryAt(world.clock.now()) : done();
  });
  await world.enqueue({});
  await world.worker.runOnce();
  assert.deepEqual([tokens.length, new Set(tokens).size], [3, 3]);
});

test('the leases of jobs from several claims are all renewed', async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler);
  await world.worker.start();
  for (const id of ['job_1', 'job_2', 'job_3']) {
    await world.enqueue({ id });
    await world.settle();
  }
  await world.clock.advance(60_000);
  assert.deepEqual(await claim(world.database, 'rival', { now: world.clock.now() }), []);
  held.releaseAll();
  await world.worker.stop();
  assert.equal(await world.count(), 0);
});

test('a lease counts from the start of the transaction that claims the job', async () => {
  const database = createMemoryDatabase();
  const leases: number[] = [];
  let delayMs = 20_000;
  const world = createWorkerWorld(
    async (job) => {
      leases.push(job.dueAt.getTime() - world.clock.now().getTime());
      return done();
    },
    {
      leaseMs: 15_000,
      database: {
        ...database,
        async transaction(work) {
          const waitMs = delayMs;
          delayMs = 0;
          if (waitMs > 0) {
            await new Promise<void>((resolve) => world.clock.setTimer(resolve, waitMs));
          }
          return database.transaction(work);
        },
      },
    },
  );
  const now = world.clock.now();
  const job = { id: 'job_1', queue: 'test', tenantId: null, group: '', payload: {}, dueAt: now };
  await database.transaction((session) => database.kernel(session).enqueueJobs([job]));
  await world.worker.start();
  await world.clock.advance(25_000);
  assert.deepEqual(leases, [15_000]);
  await world.worker.stop();
});

test('the leases of running jobs are renewed until a stopped worker has waited for all of them', async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, { leaseMs: 15_000 });
  await world.worker.start();
  await world.enqueue({ id: 'job_1' });
  await world.settle();
  let isStopped = false;
  const stopped = world.worker.stop().then(() => {
    isStopped = true;
  });
  for (let second = 0; second < 60; second += 1) {
    await world.clock.advance(1_000);
    assert.deepEqual(await claim(world.database, 'rival', { now: world.clock.now() }), []);
  }
  assert.equal(isStopped, false);
  held.release('job_1');
  await stopped;
  assert.equal(await world.count(), 0);
  await world.clock.advance(60_000);
  assert.equal(world.clock.pendingTimers, 0);
});
