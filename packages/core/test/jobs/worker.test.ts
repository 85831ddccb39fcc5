import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, retryAt } from '../../src/jobs/outcome.ts';
import { claim } from '../../src/testing/records.ts';
import { createWorkerWorld, holdJobs } from './worker-world.ts';

test('a commit that stores jobs wakes the worker: no time passes before they are done', async () => {
  const ended: string[] = [];
  const world = createWorkerWorld(async (job) => {
    ended.push(job.id);
    return done();
  });
  await world.worker.start();
  await world.enqueue({ id: 'job_1' }, { id: 'job_2' });
  await world.settle();
  assert.deepEqual(ended, ['job_1', 'job_2']);
  assert.equal(await world.count(), 0);
  await world.worker.stop();
});

test('a job that is due later is done at its time', async () => {
  const ended: number[] = [];
  const world = createWorkerWorld(async () => {
    ended.push(world.clock.monotonicMs());
    return done();
  });
  await world.worker.start();
  await world.enqueue({ dueAt: new Date(world.clock.now().getTime() + 2_500) });
  await world.clock.advance(10_000);
  assert.deepEqual(ended, [2_500]);
  await world.worker.stop();
});

test('a job is run again at the time given to retryAt', async () => {
  const ended: number[] = [];
  const world = createWorkerWorld(async () => {
    ended.push(world.clock.monotonicMs());
    return ended.length < 3 ? retryAt(new Date(world.clock.now().getTime() + 4_000)) : done();
  });
  await world.worker.start();
  await world.enqueue({});
  await world.clock.advance(20_000);
  assert.deepEqual(ended, [0, 4_000, 8_000]);
  assert.equal(await world.count(), 0);
  await world.worker.stop();
});

test('a job result that cannot be stored does not undo others in its batch, and is retried', async () => {
  const attempts = new Map<string, number>();
  const applied: string[] = [];
  const world = createWorkerWorld(async (job) => {
    attempts.set(job.id, (attempts.get(job.id) ?? 0) + 1);
    return done(async (tx) => {
      if (job.id === 'job_2' && attempts.get(job.id) === 1) throw new Error('refused');
      await tx.enqueueJobs([{ ...job, queue: 'result', id: `${job.id}_result` }]);
      applied.push(job.id);
    });
  });
  await world.worker.start();
  await world.enqueue({ id: 'job_1' }, { id: 'job_2' }, { id: 'job_3' });
  await world.settle();
  const results = () => world.database.kernel(world.database.reader).countJobs('result');
  assert.equal(await results(), 2);
  assert.equal(await world.count(), 1);
  assert.deepEqual(world.log, ['storing the result of a job failed: job_2']);
  await world.clock.advance(16_000);
  assert.equal(await results(), 3);
  assert.deepEqual(Object.fromEntries(attempts), { job_1: 1, job_2: 2, job_3: 1 });
  await world.worker.stop();
});

test('the result of a job whose lease was lost is not stored', async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler);
  await world.worker.start();
  await world.enqueue({ id: 'job_1', group: 'gone' });
  await world.settle();
  const muchLater = new Date(world.clock.now().getTime() + 3_600_000);
  await world.database.transaction((session) =>
    world.database.kernel(session).claimJobs({
      queue: 'test',
      now: muchLater,
      leaseUntil: muchLater,
      leaseToken: 'another worker',
      limit: 1,
      groupCapacity: () => 1,
    }),
  );
  let applied = false;
  held.release(
    'job_1',
    done(async () => {
      applied = true;
    }),
  );
  await world.settle();
  assert.equal(applied, false);
  await world.worker.stop();
});

test('the lease of a long job is renewed, so that no other worker gets it', async () => {
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, { leaseMs: 15_000 });
  await world.worker.start();
  await world.enqueue({ id: 'job_1' });
  for (let second = 0; second < 60; second += 1) {
    await world.clock.advance(1_000);
    assert.deepEqual(await claim(world.database, 'rival', { now: world.clock.now() }), []);
  }
  held.release('job_1');
  await world.settle();
  assert.deepEqual(held.started, ['job_1']);
  assert.equal(await world.count(), 0);
  await world.worker.stop();
});

test('the jobs of a worker that died are done once their leases have run out', async () => {
  const ended: number[] = [];
  const world = createWorkerWorld(async () => {
    ended.push(world.clock.monotonicMs());
    return done();
  });
  await world.enqueue({});
  const leaseUntil = new Date(world.clock.now().getTime() + 15_000);
  await claim(world.database, 'dead', { now: world.clock.now(), leaseUntil });
  await world.worker.start();
  await world.clock.advance(20_000);
  assert.deepEqual(ended, [15_000]);
  await world.worker.stop();
});

test('stopping a worker aborts running jobs, waits for them, stores their results and starts no more', async () => {
  const started: string[] = [];
  const world = createWorkerWorld(
    (job, signal) => {
      started.push(job.id);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(done())));
    },
    { concurrency: 1 },
  );
  await world.worker.start();
  await world.enqueue({ id: 'job_1' }, { id: 'job_2' });
  await world.settle();
  await world.worker.stop();
  assert.equal(await world.count(), 1);
  await world.enqueue({});
  await world.clock.advance(60_000);
  assert.deepEqual(started, ['job_1']);
  assert.equal(world.clock.pendingTimers, 0);
});

test('a stopped worker can be started again, and starting twice is starting once', async () => {
  const ended: string[] = [];
  const world = createWorkerWorld(async (job) => {
    ended.push(job.id);
    return done();
  });
  await world.worker.start();
  await world.worker.stop();
  await world.enqueue({ id: 'job_1' });
  await world.worker.start();
  await world.worker.start();
  await world.settle();
  assert.deepEqual(ended, ['job_1']);
  await world.worker.stop();
});

test('runOnce runs all due jobs, including those they add, and returns their number', async () => {
  const ended: string[] = [];
  const world = createWorkerWorld(
    async (job) => {
      ended.push(job.id);
      if (job.id !== 'job_1') return done();
      const added = { ...job, id: 'job_added', dueAt: world.clock.now() };
      return done((tx) => tx.enqueueJobs([added]));
    },
    { concurrency: 2 },
  );
  const later = new Date(world.clock.now().getTime() + 1);
  await world.enqueue({ id: 'job_1' }, { id: 'job_2' }, { id: 'job_3' }, { dueAt: later });
  assert.equal(await world.worker.runOnce(), 4);
  assert.deepEqual(ended.sort(), ['job_1', 'job_2', 'job_3', 'job_added']);
  assert.equal(await world.count(), 1);
});

test('a database that fails for a while delays the jobs and loses none', async () => {
  const { database } = createWorkerWorld(async () => done());
  let isDown = true;
  const ended: number[] = [];
  const world = createWorkerWorld(
    async () => {
      ended.push(world.clock.monotonicMs());
      return done();
    },
    {
      database: {
        ...database,
        transaction: (work) =>
          isDown ? Promise.reject(new Error('down')) : database.transaction(work),
      },
    },
  );
  await database.transaction((session) =>
    database.kernel(session).enqueueJobs([
      {
        id: 'job_1',
        queue: 'test',
        tenantId: null,
        group: '',
        payload: {},
        dueAt: world.clock.now(),
      },
    ]),
  );
  await world.worker.start();
  await world.clock.advance(3_500);
  assert.deepEqual(ended, []);
  assert.ok(world.log.includes('looking for jobs failed'));
  isDown = false;
  await world.clock.advance(1_000);
  assert.deepEqual(ended, [4_000]);
  await world.worker.stop();
});
