import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TestClock } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { DAY_MS } from '../../src/clock.ts';
import { createIds } from '../../src/ids.ts';
import { JOB_RETRY } from '../../src/jobs/retry.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { Retention } from '../../src/retention/retention.ts';
import { createRetentionWorker, RETENTION_QUEUE } from '../../src/retention/worker.ts';
import type { Database } from '../../src/storage/database.ts';
import { targets } from '../support.ts';

/** Databases whose answers take real time, during which the clock stands still. */
interface Busy {
  readonly clock: TestClock;
  /** The database, so that {@link Busy.turn} knows of what is asked of it. */
  watch(database: Database): Database;
  /** Turns the clock by a second, once all that was asked has been answered. */
  turn(): Promise<void>;
}

/** Turns of the event loop without a question, after which none will follow by itself. */
const QUIET_TURNS = 10;

function createBusy(): Busy {
  const clock = createTestClock();
  let open = 0;
  const count = async <T>(answer: Promise<T>): Promise<T> => {
    open += 1;
    return answer.finally(() => {
      open -= 1;
    });
  };
  const watchReads = <T extends object>(reads: T): T =>
    new Proxy(reads, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return (...args: unknown[]) => count(Promise.resolve(method.apply(target, args)));
      },
    });
  return {
    clock,
    watch: (database) => ({
      ...database,
      transaction: (work) => count(database.transaction(work)),
      kernel: (session) =>
        session === database.reader
          ? watchReads(database.kernel(session))
          : database.kernel(session),
    }),
    async turn() {
      for (let quiet = 0; quiet < QUIET_TURNS; ) {
        await nextTurn();
        quiet = open === 0 ? quiet + 1 : 0;
      }
      await clock.advance(1_000);
    },
  };
}

/** Starts a worker that lives as long as the test. */
async function startWorker(
  t: TestContext,
  database: Database,
  { clock, watch }: Busy,
  run: Retention['run'],
  intervalMs = DAY_MS,
) {
  const worker = createRetentionWorker({
    database: watch(database),
    retention: { run },
    clock,
    intervalMs,
    logger: silentLogger,
    ids: createIds(),
  });
  t.after(() => worker.stop());
  await worker.start();
  return worker;
}

async function turnUntil({ turn }: Busy, isTrue: () => boolean): Promise<void> {
  for (let turns = 0; turns < 200 && !isTrue(); turns += 1) await turn();
  assert.ok(isTrue(), 'it did not come to pass');
}

async function rest({ turn }: Busy): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await turn();
}

for (const target of targets) {
  describe(`the retention worker on ${target.name}`, () => {
    it('retention runs at the first start, once for all workers, and is due again a day later', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const busy = createBusy();
      const { clock } = busy;
      const runsAt: Date[] = [];
      const run = async () => {
        runsAt.push(clock.now());
        return {};
      };
      const databases = [opened.database, opened.openAnother() ?? opened.database];
      for (const each of databases) await startWorker(t, each, busy, run);
      await turnUntil(busy, () => runsAt.length > 0);
      await rest(busy);
      assert.equal(runsAt.length, 1);
      const database: Database = opened.database;
      const reads = database.kernel(database.reader);
      assert.equal(await reads.countJobs(RETENTION_QUEUE), 1);
      const { items } = await reads.listJobs({ limit: 9, offset: 0 }, RETENTION_QUEUE);
      assert.equal(items[0]?.attempts, 0, 'the next run is a new job');
      const dueAt = await reads.nextDueAt(RETENTION_QUEUE, []);
      assert.equal(dueAt?.getTime(), (runsAt[0]?.getTime() ?? 0) + DAY_MS);
    });

    it('a due retention run runs again, once for all workers', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const busy = createBusy();
      let runs = 0;
      const run = async () => {
        runs += 1;
        return {};
      };
      const databases = [opened.database, opened.openAnother() ?? opened.database];
      for (const each of databases) await startWorker(t, each, busy, run, 60_000);
      await turnUntil(busy, () => runs === 1);
      await turnUntil(busy, () => runs === 2);
      await rest(busy);
      assert.equal(runs, 2);
    });

    it('a retention run is restarted by another worker when its worker has died', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const busy = createBusy();
      const { clock } = busy;
      let isBegun = false;
      // The dead worker: it took the job and is never heard of again.
      const database: Database = opened.database;
      await database.transaction(async (session) => {
        const tx = database.kernel(session);
        const job = {
          id: 'job_retention',
          queue: RETENTION_QUEUE,
          group: 'retention',
          payload: {},
        };
        await tx.ensureJob({ ...job, dueAt: clock.now() });
        const leaseUntil = new Date(clock.now().getTime() + 15_000);
        const claim = { leaseToken: 'dead', limit: 1, groupCapacity: () => 1 };
        await tx.claimJobs({ queue: RETENTION_QUEUE, now: clock.now(), leaseUntil, ...claim });
      });
      const begunAt = clock.now().getTime();
      await startWorker(t, opened.database, busy, async () => {
        isBegun = true;
        return {};
      });
      await turnUntil(busy, () => isBegun);
      assert.ok(clock.now().getTime() - begunAt >= 15_000);
    });

    it('a retention run that fails at every attempt is a failed job, and due again a day later', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const busy = createBusy();
      const now = busy.clock.now();
      const database: Database = opened.database;
      // All attempts but the last are over.
      await database.transaction(async (session) => {
        const tx = database.kernel(session);
        const facts = { queue: RETENTION_QUEUE, group: RETENTION_QUEUE, payload: {} };
        await tx.ensureJob({ ...facts, id: 'job_retention', dueAt: now });
        for (let attempt = 1; attempt < JOB_RETRY.maxAttempts; attempt += 1) {
          const lease = { leaseToken: 'former', leaseUntil: now, limit: 1 };
          const request = { ...lease, queue: RETENTION_QUEUE, now, groupCapacity: () => 1 };
          await tx.claimJobs(request);
          await tx.rescheduleJob('job_retention', 'former', now, 'full');
        }
      });
      const reads = database.kernel(database.reader);
      const page = { limit: 9, offset: 0 };
      let runs = 0;
      await startWorker(t, database, busy, async () => {
        runs += 1;
        throw new Error('the disk is full');
      });
      await turnUntil(busy, () => runs > 0);
      await rest(busy);
      assert.equal(runs, 1);
      const [failed] = (await reads.listFailedJobs(page)).items;
      assert.deepEqual(
        [failed?.id, failed?.attempts, failed?.lastError],
        ['job_retention', JOB_RETRY.maxAttempts, 'Error: the disk is full'],
      );
      const [next] = (await reads.listJobs(page, RETENTION_QUEUE)).items;
      assert.deepEqual([next?.id, next?.attempts], ['job_retention', 0]);
      assert.ok((next?.dueAt.getTime() ?? 0) >= now.getTime() + DAY_MS);
    });

    it('a retention run whose workers die at every attempt is a failed job, and due again a day later', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const busy = createBusy();
      const now = busy.clock.now();
      const database: Database = opened.database;
      await database.transaction(async (session) => {
        const tx = database.kernel(session);
        const facts = { queue: RETENTION_QUEUE, group: RETENTION_QUEUE, payload: {} };
        await tx.ensureJob({ ...facts, id: 'job_retention', dueAt: now });
        for (let attempt = 1; attempt <= JOB_RETRY.maxAttempts; attempt += 1) {
          const lease = { leaseToken: `dead ${attempt}`, leaseUntil: now, limit: 1 };
          const request = { ...lease, queue: RETENTION_QUEUE, now, groupCapacity: () => 1 };
          assert.equal((await tx.claimJobs(request)).length, 1);
        }
      });
      let runs = 0;
      await startWorker(t, database, busy, async () => {
        runs += 1;
        return {};
      });
      await rest(busy);
      const reads = database.kernel(database.reader);
      assert.deepEqual([runs, await reads.countFailedJobs(RETENTION_QUEUE)], [0, 1]);
      const page = { limit: 9, offset: 0 };
      const [next] = (await reads.listJobs(page, RETENTION_QUEUE)).items;
      assert.deepEqual([next?.id, next?.attempts], ['job_retention', 0]);
      assert.ok((next?.dueAt.getTime() ?? 0) >= now.getTime() + DAY_MS);
    });

    it('a retention run interrupted by a stop is due again at once', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const busy = createBusy();
      const { clock } = busy;
      let runs = 0;
      const untilStopped = (signal?: AbortSignal) => {
        runs += 1;
        return new Promise<Record<string, number>>((resolve) => {
          signal?.addEventListener('abort', () => resolve({}));
        });
      };
      const worker = await startWorker(t, opened.database, busy, untilStopped);
      await turnUntil(busy, () => runs === 1);
      await worker.stop();
      const database: Database = opened.database;
      const reads = database.kernel(database.reader);
      const dueAt = await reads.nextDueAt(RETENTION_QUEUE, []);
      assert.ok(dueAt && dueAt <= clock.now());
    });
  });
}
