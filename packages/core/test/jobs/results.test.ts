import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { createTestClock, until } from '@probity/test-support';
import { done } from '../../src/jobs/outcome.ts';
import type { WaitingResult } from '../../src/jobs/result-lane.ts';
import { ResultLane } from '../../src/jobs/result-lane.ts';
import { ResultStore } from '../../src/jobs/results.ts';
import type { LeasedJob } from '../../src/jobs/storage.ts';
import { createLogger } from '../../src/logging/logger.ts';
import type { SqlSession } from '../../src/sql/session.ts';
import type { Database } from '../../src/storage/database.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';
import { targets } from '../support.ts';
import { createWorkerWorld, holdJobs } from './worker-world.ts';

const BY_TENANT = { byTenant: true };

/** The jobs of one claim, which finish together. */
const JOBS = ['a', 'a', 'a', 'a', 'b', 'c'].map((tenantId, index) => ({
  id: `job_${index}`,
  tenantId,
  group: `${index}`,
}));

/** A database that counts transactions, and fails those that end a job while `failure` is set. */
function createWatchedDatabase() {
  const inner = createMemoryDatabase();
  const state = { transactions: 0, failure: null as Error | null, tries: 0 };
  const database = {
    ...inner,
    transaction: (work) => {
      state.transactions += 1;
      return inner.transaction(work);
    },
    kernel: (session) => {
      const kernel = inner.kernel(session);
      const finishJobs: typeof kernel.finishJobs = async (jobs) => {
        if (!state.failure) return kernel.finishJobs(jobs);
        state.tries += 1;
        throw state.failure;
      };
      return Object.assign(Object.create(kernel), { finishJobs });
    },
  } as Database<Parameters<typeof inner.kernel>[0]>;
  return { database: database as Database, state };
}

test('large results of a tenant are stored in short transactions between those of others', async () => {
  const { database, state } = createWatchedDatabase();
  const stored: Array<[string | null, number]> = [];
  const world = createWorkerWorld(
    async (job) => {
      const transactionMs = job.tenantId === 'a' ? 11 : 1;
      return done(async () => {
        stored.push([job.tenantId, state.transactions]);
        await world.clock.advance(transactionMs);
      }, BY_TENANT);
    },
    { database },
  );
  await world.enqueue(...JOBS);
  await world.worker.runOnce();
  assert.deepEqual(
    stored.map(([tenant]) => tenant),
    ['a', 'b', 'c', 'a', 'a', 'a'],
  );
  assert.equal(await world.count(), 0);
});

test('tenants take turns in the transactions that their results share', () => {
  const lane = new ResultLane('shared');
  for (const [index, tenantId] of ['a', 'a', 'a', 'b', 'b', null].entries()) {
    const job = { id: `job_${index}`, tenantId } as LeasedJob;
    const finished = { job, attempts: 1, outcome: done(), error: null };
    lane.add({ finished, settled: () => {} });
  }
  const taken = (results: readonly WaitingResult[]) => results.map((each) => each.finished.job.id);
  const first = lane.take(4);
  assert.deepEqual(taken(first), ['job_0', 'job_3', 'job_5', 'job_1']);
  lane.putBack(first.slice(1));
  assert.deepEqual(taken(lane.take(2)), ['job_3', 'job_5']);
  assert.deepEqual(taken(lane.clear()), ['job_1', 'job_4', 'job_2']);
  assert.ok(lane.isEmpty);
});

test('a result of a tenant is not stored after all those that finished before it', async () => {
  const stored: string[] = [];
  const database = createMemoryDatabase();
  const clock = createTestClock();
  const results = new ResultStore({
    ...{ database, clock, logger: createLogger({ write: () => {} }), queue: 'test' },
    end: async (_tx, finished) => new Set(finished.map(({ job }) => job.id)),
    inProgress: () => 0,
    lose: () => assert.fail('no lease is lost'),
    toFailure: (finished) => finished,
  });
  let count = 0;
  const add = (tenantId: string) => {
    const outcome = done(async () => {
      stored.push(tenantId);
      // Each takes the time of a transaction.
      await clock.advance(11);
    });
    count += 1;
    const job = { id: `job_${count}`, tenantId } as LeasedJob;
    return results.add({ job, attempts: 1, outcome, error: null });
  };
  const all = ['a', 'a', 'a', 'a'].map(add);
  await all[0];
  await Promise.all([...all, add('b')]);
  assert.deepEqual(stored, ['a', 'a', 'b', 'a', 'a']);
});

test('results that only add to the batch end by one statement', async () => {
  const ended: number[] = [];
  const values: number[][] = [];
  const results = new ResultStore({
    ...{ database: createMemoryDatabase(), clock: createTestClock(), queue: 'test' },
    logger: createLogger({ write: () => {} }),
    end: async (_tx, finished) => {
      ended.push(finished.length);
      return new Set(finished.map(({ job }) => job.id));
    },
    inProgress: () => 0,
    lose: () => assert.fail('no lease is lost'),
    toFailure: (finished) => finished,
  });
  const store = async (_tx: unknown, added: readonly number[]) => void values.push([...added]);
  const add = (value: number, isBatched: boolean) => {
    const outcome = done(async (_tx, batch) => batch.add(store, value), { isBatched });
    const job = { id: `job_${value}`, tenantId: null } as LeasedJob;
    return results.add({ job, attempts: 1, outcome, error: null });
  };
  const of = (isBatched: boolean) =>
    Promise.all([1, 2, 3, 4, 5].map((each) => add(each, isBatched)));
  await of(true);
  await of(false);
  assert.deepEqual(ended, [5, 1, 1, 2, 1]);
  assert.deepEqual(values, [
    [1, 2, 3, 4, 5],
    [1, 2, 3, 4, 5],
  ]);
});

test('a result that waits for a lock of its tenant delays none of other tenants', async (t) => {
  const { database, dispose } = await (
    targets.find(({ name }) => name === 'postgres') as (typeof targets)[number]
  ).open();
  t.after(dispose);
  const lock = new EventEmitter();
  const unlocked = once(lock, 'open');
  const stored: Array<string | null> = [];
  const ended = once(lock, 'others');
  const world = createWorkerWorld(
    async (job) =>
      done(async () => {
        if (job.tenantId === 'a') await unlocked;
        stored.push(job.tenantId);
        if (stored.length === 2) lock.emit('others');
      }, BY_TENANT),
    { database },
  );
  await world.enqueue(...JOBS);
  const run = world.worker.runOnce();
  await ended;
  assert.deepEqual(stored.sort(), ['b', 'c']);
  lock.emit('open');
  assert.equal(await run, JOBS.length);
});

test('results of many tenants that ask for nothing else share a transaction', async () => {
  const { database, state } = createWatchedDatabase();
  const world = createWorkerWorld(async () => done(async () => {}), { database });
  await world.enqueue(...JOBS);
  const before = state.transactions;
  await world.worker.runOnce();
  // Two claims, the second of which is empty.
  assert.equal(state.transactions - before, 3);
});

for (const [cause, message, tries] of [
  ['does not answer', 'Query read timeout', 1],
  ['has closed the connection', 'Connection terminated unexpectedly', 2],
  ['is locked by another process', 'SQLITE_BUSY', 2],
] as const) {
  test(`when the database ${cause}, no result is tried by itself, and the leases repeat the jobs`, async () => {
    const { database, state } = createWatchedDatabase();
    const world = createWorkerWorld(async () => done(), { database });
    await world.enqueue(...JOBS);
    state.failure = Object.assign(new Error(message), { code: message });
    await world.worker.start();
    await world.settle();
    await world.worker.stop();
    assert.equal(state.tries, tries);
    assert.equal(await world.count(), JOBS.length);
    assert.deepEqual(world.log, ['results were not stored, and their jobs are repeated']);
    state.failure = null;
    await world.clock.advance(15_000);
    assert.equal(await world.worker.runOnce(), JOBS.length);
  });
}

test('results of a tenant that wait for a statement timeout do so once, and delay others once', async (t) => {
  const opened = await (
    targets.find(({ name }) => name === 'postgres') as (typeof targets)[number]
  ).open();
  t.after(opened.dispose);
  const database: Database = opened.database;
  const stored: Array<string | null> = [];
  let waits = 0;
  for (const options of [{}, BY_TENANT]) {
    const world = createWorkerWorld(
      async (job) =>
        done(async ({ session }) => {
          if (job.tenantId === 'a') {
            waits += 1;
            // The rows of a tenant that its host has locked.
            const { execute } = session as SqlSession;
            await execute("set local statement_timeout = '50ms'", []);
            await execute('select pg_sleep(60)', []);
          }
          stored.push(job.tenantId);
        }, options),
      { database },
    );
    await world.enqueue(...JOBS);
    await world.worker.runOnce();
    assert.deepEqual(stored.sort(), ['b', 'c'], 'each once');
    assert.equal(waits, 1);
    const { items } = await database
      .kernel(database.reader)
      .listJobs({ limit: 9, offset: 0 }, 'test');
    assert.deepEqual(
      items.map(({ attempts, isLeased }) => [attempts, isLeased]),
      [1, 2, 3, 4].map(() => [1, false]),
      'the jobs of the tenant are retried',
    );
    await database.transaction((session) =>
      database.kernel(session).dropJobs(items.map(({ id }) => id)),
    );
    stored.length = 0;
    waits = 0;
  }
});

test('values that results leave to their transaction are stored once at its end, in each attempt to store it', async () => {
  const { database, state } = createWatchedDatabase();
  const written: Array<readonly string[]> = [];
  const write = async (_: unknown, values: readonly string[]) => void written.push(values);
  let isFirst = true;
  const world = createWorkerWorld(
    async (job) =>
      done(async (_, batch) => {
        batch.add(write, job.id);
        if (job.id !== 'job_5' || !isFirst) return;
        isFirst = false;
        throw new Error('a conflict');
      }),
    { database },
  );
  await world.enqueue(...JOBS);
  await world.worker.runOnce();
  assert.equal(await world.count(), 0);
  // The first transaction failed; each result was then stored by itself.
  assert.deepEqual(
    written.flat().sort(),
    JOBS.map(({ id }) => id),
  );
  written.length = 0;
  await world.enqueue(...JOBS);
  const before = state.transactions;
  await world.worker.runOnce();
  assert.equal(state.transactions - before, 3);
  assert.deepEqual(
    written.map((values) => values.length),
    [JOBS.length],
  );
});

test('results wait for others while many jobs are in progress, for a short time', async (t) => {
  const { database, state } = createWatchedDatabase();
  const held = holdJobs();
  const world = createWorkerWorld(held.handler, { database, concurrency: 64, tenantShare: 1 });
  t.after(async () => {
    held.releaseAll();
    await world.worker.stop();
  });
  await world.worker.start();
  const jobs = Array.from({ length: 32 }, (_, index) => ({
    id: `job_${index}`,
    group: `${index}`,
  }));
  await world.enqueue(...jobs);
  await world.settle();
  assert.equal(held.started.length, 32);
  const before = state.transactions;
  for (let index = 0; index < 6; index += 1) {
    held.release(`job_${index}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(state.transactions - before <= 1, `${state.transactions - before} transactions`);
  await until(async () => (await world.count()) === 26, 'the results are stored');
  // All but one: the last results come when few jobs are in progress.
  for (let index = 6; index < 31; index += 1) held.release(`job_${index}`);
  await until(async () => (await world.count()) === 1, 'the results are stored');
  const lone = state.transactions;
  held.release('job_31');
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(state.transactions - lone, 1);
});
