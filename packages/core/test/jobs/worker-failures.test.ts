import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, failed, retryAt } from '../../src/jobs/outcome.ts';
import { JOB_RETRY } from '../../src/jobs/retry.ts';
import { LEASE_RAN_OUT } from '../../src/jobs/storage.ts';
import { claim } from '../../src/testing/records.ts';
import type { WorkerWorld } from './worker-world.ts';
import { createWorkerWorld, holdJobs } from './worker-world.ts';

const DAY_MS = 86_400_000;
/** Chance that takes nothing off the waits. */
const longest = (size: number) => new Uint8Array(size);

async function failedJobsOf({ database }: WorkerWorld) {
  const reads = database.kernel(database.reader);
  return (await reads.listFailedJobs({ limit: 50, offset: 0 }, 'test')).items;
}

test('a handler that throws is retried after the delays of the retry profile', async () => {
  const begun: number[] = [];
  const attempts: Array<[number, string | null]> = [];
  const world = createWorkerWorld(
    async (job) => {
      begun.push(world.clock.monotonicMs());
      attempts.push([job.attempts, job.lastError]);
      if (begun.length < 4) throw new Error(`broken ${begun.length}`);
      return done();
    },
    { random: longest },
  );
  await world.worker.start();
  await world.enqueue({ id: 'job_1' });
  await world.clock.advance(60_000);
  assert.deepEqual(begun, [0, 5_000, 15_000, 35_000]);
  assert.deepEqual(attempts, [
    [1, null],
    [2, 'Error: broken 1'],
    [3, 'Error: broken 2'],
    [4, 'Error: broken 3'],
  ]);
  assert.deepEqual(world.log, Array(3).fill('a job failed: job_1'));
  assert.deepEqual([await world.count(), await failedJobsOf(world)], [0, []]);
  await world.worker.stop();
});

test('a job that fails at every attempt is given up after 20 attempts, with its last error', async () => {
  let begun = 0;
  const world = createWorkerWorld(
    async () => {
      begun += 1;
      throw new Error(`broken ${begun}`, { cause: new TypeError('Bearer abcdefgh1234') });
    },
    { random: longest },
  );
  await world.enqueue({ id: 'job_1', payload: { a: 'b' } });
  for (let hour = 0; hour < 24; hour += 1) {
    await world.worker.runOnce();
    await world.clock.advance(3_600_000);
  }
  assert.equal(begun, JOB_RETRY.maxAttempts);
  assert.equal(begun, 20);
  const [job, ...more] = await failedJobsOf(world);
  assert.equal(more.length, 0);
  const { id, payload, attempts, lastError } = job ?? {};
  assert.deepEqual([id, payload, attempts], ['job_1', { a: 'b' }, 20]);
  assert.equal(lastError, 'Error: broken 20, because of TypeError: Bearer [redacted]');
  assert.equal(await world.count(), 0);
  assert.equal(world.log.length, 21);
  assert.equal(world.log.at(-1), 'a job was given up: job_1');
});

test('jitter spreads jobs that failed together, and never delays beyond the profile', async () => {
  const begun: number[] = [];
  const chances = [0, 255, 128];
  const world = createWorkerWorld(
    async () => {
      begun.push(world.clock.monotonicMs());
      if (begun.length <= 3) throw new Error('broken');
      return done();
    },
    { random: (size) => new Uint8Array(size).fill(chances.shift() ?? 0) },
  );
  await world.worker.start();
  await world.enqueue({ id: 'job_1' }, { id: 'job_2' }, { id: 'job_3' });
  await world.clock.advance(10_000);
  assert.deepEqual(begun.slice(3), [4_000, 4_498, 5_000]);
  await world.worker.stop();
});

test('a handler that returns failed ends the job at once, with its reason and its result', async () => {
  const world = createWorkerWorld(async (job) =>
    failed('There is no such ticket', (tx) =>
      tx.enqueueJobs([{ ...job, queue: 'result', id: 'job_result' }]),
    ),
  );
  await world.enqueue({ id: 'job_1' });
  await world.worker.runOnce();
  const [job] = await failedJobsOf(world);
  assert.deepEqual([job?.lastError, job?.attempts], ['There is no such ticket', 1]);
  const reads = world.database.kernel(world.database.reader);
  assert.deepEqual([await world.count(), await reads.countJobs('result')], [0, 1]);
  assert.deepEqual(world.log, ['a job was given up: job_1']);
});

test('a failed job whose result cannot be stored is retried', async () => {
  let begun = 0;
  const world = createWorkerWorld(async () => {
    begun += 1;
    return failed('gone', async () => {
      if (begun === 1) throw new Error('refused');
    });
  });
  await world.enqueue({ id: 'job_1' });
  await world.worker.runOnce();
  assert.deepEqual([await world.count(), await failedJobsOf(world)], [1, []]);
  await world.clock.advance(5_000);
  await world.worker.runOnce();
  assert.equal((await failedJobsOf(world))[0]?.lastError, 'gone');
  assert.equal(await world.count(), 0);
});

test('a result that can never be stored ends the job like a handler that throws', async () => {
  let begun = 0;
  const world = createWorkerWorld(
    async () => {
      begun += 1;
      return done(async () => {
        throw new Error('refused');
      });
    },
    { retry: { delaysMs: [1_000], maxAttempts: 3 } },
  );
  await world.worker.start();
  await world.enqueue({ id: 'job_1' });
  await world.clock.advance(10_000);
  const [job] = await failedJobsOf(world);
  assert.deepEqual([begun, job?.attempts, job?.lastError], [3, 3, 'Error: refused']);
  await world.worker.stop();
});

test('retryAt is not limited by the maximum number of attempts', async () => {
  const seen: number[] = [];
  const world = createWorkerWorld(
    async (job) => {
      seen.push(job.attempts);
      return seen.length < 6 ? retryAt(world.clock.now()) : done();
    },
    { retry: { delaysMs: [1], maxAttempts: 2 } },
  );
  await world.enqueue({});
  await world.worker.runOnce();
  assert.deepEqual(seen, [1, 1, 1, 1, 1, 1]);
  assert.deepEqual([await world.count(), await failedJobsOf(world)], [0, []]);
});

test('an error after many runs by retryAt is the first failed attempt', async () => {
  const seen: Array<[number, string | null]> = [];
  const world = createWorkerWorld(
    async (job) => {
      seen.push([job.attempts, job.lastError]);
      if (seen.length === 5) throw new Error('broken');
      return seen.length < 7 ? retryAt(world.clock.now()) : done();
    },
    { retry: { delaysMs: [1_000], maxAttempts: 2 } },
  );
  await world.worker.start();
  await world.enqueue({});
  await world.clock.advance(2_000);
  assert.deepEqual(seen.slice(4), [
    [1, null],
    [2, 'Error: broken'],
    [1, null],
  ]);
  assert.deepEqual([await world.count(), await failedJobsOf(world)], [0, []]);
  await world.worker.stop();
});

test('a result whose storing fails once is stored by a second try', async () => {
  let begun = 0;
  let tries = 0;
  const world = createWorkerWorld(
    async () => {
      begun += 1;
      return done(async () => {
        tries += 1;
        if (tries === 1) throw new Error('deadlock');
      });
    },
    { retry: { delaysMs: [1], maxAttempts: 1 } },
  );
  await world.enqueue({});
  await world.worker.runOnce();
  assert.deepEqual([begun, tries], [1, 2]);
  assert.deepEqual([await world.count(), await failedJobsOf(world)], [0, []]);
});

for (const cause of ['failed', 'thrown', 'unstorable', 'abandoned']) {
  test(`onGivenUp runs in the transaction that gives the job up (${cause})`, async () => {
    const world = createWorkerWorld(
      async () => {
        if (cause === 'failed') return failed('gone');
        if (cause === 'thrown') throw new Error('gone');
        return done(() => Promise.reject(new Error('gone')));
      },
      {
        retry: { delaysMs: [1], maxAttempts: 1 },
        async onGivenUp(tx, job) {
          assert.equal(await tx.countFailedJobs('test'), 1);
          await tx.enqueueJobs([{ ...job, id: 'job_next', queue: 'next' }]);
        },
      },
    );
    await world.enqueue({ id: 'job_1' });
    const now = world.clock.now();
    if (cause === 'abandoned') await claim(world.database, 'dead', { now, leaseUntil: now });
    await world.worker.runOnce();
    const reads = world.database.kernel(world.database.reader);
    assert.deepEqual([await world.count(), await reads.countJobs('next')], [0, 1]);
    assert.equal((await failedJobsOf(world)).length, 1);
  });
}

test('a job that is not given up does not run onGivenUp', async () => {
  let givenUp = 0;
  let begun = 0;
  const world = createWorkerWorld(
    async () => {
      begun += 1;
      if (begun === 1) throw new Error('broken');
      return done();
    },
    {
      retry: { delaysMs: [1_000], maxAttempts: 2 },
      async onGivenUp() {
        givenUp += 1;
      },
    },
  );
  await world.worker.start();
  await world.enqueue({});
  await world.clock.advance(2_000);
  assert.deepEqual([begun, givenUp, await world.count()], [2, 0, 0]);
  await world.worker.stop();
});

test('the apply of retryAt runs, except when the lease was lost', async () => {
  for (const isLost of [false, true]) {
    const held = holdJobs();
    const world = createWorkerWorld(held.handler);
    await world.worker.start();
    await world.enqueue({ id: 'job_1' });
    await world.settle();
    if (isLost)
      await claim(world.database, 'rival', { now: new Date(Date.now() + DAY_MS * 9_999) });
    let applied = 0;
    const at = new Date(world.clock.now().getTime() + DAY_MS);
    held.release(
      'job_1',
      retryAt(at, async () => {
        applied += 1;
      }),
    );
    await world.settle();
    assert.equal(applied, isLost ? 0 : 1);
    held.releaseAll();
    await world.worker.stop();
  }
});

test('a job whose workers die at every attempt is given up without another attempt', async () => {
  let begun = 0;
  const world = createWorkerWorld(
    async () => {
      begun += 1;
      return done();
    },
    { retry: { delaysMs: [1], maxAttempts: 3 } },
  );
  await world.enqueue({ id: 'job_1' });
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const now = world.clock.now();
    const leaseUntil = new Date(now.getTime() + 15_000);
    const claimed = await claim(world.database, `dead ${attempt}`, { now, leaseUntil });
    assert.deepEqual([claimed[0]?.attempts, claimed.length], [attempt, 1]);
    await world.clock.advance(15_000);
  }
  await world.worker.runOnce();
  const [job] = await failedJobsOf(world);
  assert.deepEqual([begun, job?.attempts, job?.lastError], [0, 3, LEASE_RAN_OUT]);
});

test('a job whose worker died once is done by the next, and counts two attempts', async () => {
  const seen: Array<[number, boolean]> = [];
  const world = createWorkerWorld(async (job) => {
    seen.push([job.attempts, job.isAbandoned]);
    return done();
  });
  await world.enqueue({});
  const now = world.clock.now();
  await claim(world.database, 'dead', { now, leaseUntil: new Date(now.getTime() + 15_000) });
  await world.clock.advance(15_000);
  await world.worker.runOnce();
  assert.deepEqual(seen, [[2, true]]);
});

test('an invalid retry profile is rejected when the worker is created', () => {
  const retry = { delaysMs: [], maxAttempts: 1 };
  assert.throws(() => createWorkerWorld(async () => done(), { retry }), {
    name: 'RangeError',
    message: /delaysMs/,
  });
});
