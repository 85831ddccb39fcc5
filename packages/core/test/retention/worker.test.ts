import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TestClock } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { DAY_MS } from '../../src/clock.ts';
import { createIds } from '../../src/ids.ts';
import { JOB_RETRY } from '../../src/jobs/retry.ts';
import type { ClaimRequest, LeasedJob } from '../../src/jobs/storage.ts';
import { silentLogger } from '../../src/logging/logger.ts';
import type { Retention } from '../../src/retention/retention.ts';
import { createRetentionWorker, RETENTION_QUEUE } from '../../src/retention/worker.ts';
import type { Database, KernelOperations } from '../../src/storage/database.ts';
import type { DatabaseTarget } from '../../src/testing/targets.ts';
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

/** An empty database that is removed after the test, and the clock of its workers. */
async function openWorld(t: TestContext, target: DatabaseTarget) {
  const opened = await target.open();
  t.after(opened.dispose);
  const database: Database = opened.database;
  const busy = createBusy();
  return {
    database,
    /** Connections as of two processes. */
    openBoth: () => [database, opened.openAnother() ?? database],
    reads: database.kernel(database.reader),
    busy,
    clock: busy.clock,
  };
}

/** Stores the job of the retention run, due now, and claims it as former workers would have. */
function claimRun(
  { database, clock }: Awaited<ReturnType<typeof openWorld>>,
  work: (
    tx: KernelOperations,
    claim: (given: Partial<ClaimRequest>) => Promise<LeasedJob[]>,
  ) => Promise<void>,
): Promise<void> {
  const now = clock.now();
  return database.transaction(async (session) => {
    const tx = database.kernel(session);
    const facts = { queue: RETENTION_QUEUE, tenantId: null, group: RETENTION_QUEUE, payload: {} };
    await tx.ensureJob({ ...facts, id: 'job_retention', dueAt: now });
    const lease = { leaseToken: 'former', leaseUntil: now, limit: 1, groupCapacity: () => 1 };
    await work(tx, (given) => tx.claimJobs({ queue: RETENTION_QUEUE, now, ...lease, ...given }));
  });
}

/** Checks that a new job for the next run is due a day after `begun`. */
async function assertNextRun(reads: KernelOperations, begun: Date): Promise<void> {
  const [next] = (await reads.listJobs({ limit: 9, offset: 0 }, RETENTION_QUEUE)).items;
  assert.deepEqual([next?.id, next?.attempts], ['job_retention', 0]);
  assert.ok((next?.dueAt.getTime() ?? 0) >= begun.getTime() + DAY_MS);
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
      const { openBoth, reads, busy, clock } = await openWorld(t, target);
      const runsAt: Date[] = [];
      const run = async () => {
        runsAt.push(clock.now());
        return {};
      };
      for (const each of openBoth()) await startWorker(t, each, busy, run);
      await turnUntil(busy, () => runsAt.length > 0);
      await rest(busy);
      assert.equal(runsAt.length, 1);
      assert.equal(await reads.countJobs(RETENTION_QUEUE), 1);
      const { items } = await reads.listJobs({ limit: 9, offset: 0 }, RETENTION_QUEUE);
      assert.equal(items[0]?.attempts, 0, 'the next run is a new job');
      const dueAt = await reads.nextDueAt(RETENTION_QUEUE);
      assert.equal(dueAt?.getTime(), (runsAt[0]?.getTime() ?? 0) + DAY_MS);
    });

    it('a due retention run runs again, once for all workers', async (t) => {
      const { openBoth, busy } = await openWorld(t, target);
      let runs = 0;
      const run = async () => {
        runs += 1;
        return {};
      };
      for (const each of openBoth()) await startWorker(t, each, busy, run, 60_000);
      await turnUntil(busy, () => runs === 1);
      await turnUntil(busy, () => runs === 2);
      await rest(busy);
      assert.equal(runs, 2);
    });

    it('a retention run is restarted by another worker when its worker has died', async (t) => {
      const world = await openWorld(t, target);
      const { database, busy, clock } = world;
      let isBegun = false;
      // The dead worker: it took the job and is never heard of again.
      const leaseUntil = new Date(clock.now().getTime() + 15_000);
      await claimRun(world, async (_tx, claim) => {
        await claim({ leaseToken: 'dead', leaseUntil });
      });
      const begunAt = clock.now().getTime();
      await startWorker(t, database, busy, async () => {
        isBegun = true;
        return {};
      });
      await turnUntil(busy, () => isBegun);
      assert.ok(clock.now().getTime() - begunAt >= 15_000);
    });

    it('a retention run that fails at every attempt is a failed job, and due again a day later', async (t) => {
      const world = await openWorld(t, target);
      const { database, reads, busy, clock } = world;
      const now = clock.now();
      // All attempts but the last are over.
      await claimRun(world, async (tx, claim) => {
        for (let attempt = 1; attempt < JOB_RETRY.maxAttempts; attempt += 1) {
          await claim({});
          await tx.rescheduleJob('job_retention', 'former', now, 'full');
        }
      });
      let runs = 0;
      await startWorker(t, database, busy, async () => {
        runs += 1;
        throw new Error('the disk is full');
      });
      await turnUntil(busy, () => runs > 0);
      await rest(busy);
      assert.equal(runs, 1);
      const [failed] = (await reads.listFailedJobs({ limit: 9, offset: 0 })).items;
      assert.deepEqual(
        [failed?.id, failed?.attempts, failed?.lastError],
        ['job_retention', JOB_RETRY.maxAttempts, 'Error: the disk is full'],
      );
      await assertNextRun(reads, now);
    });

    it('a retention run whose workers die at every attempt is a failed job, and due again a day later', async (t) => {
      const world = await openWorld(t, target);
      const { database, reads, busy, clock } = world;
      const now = clock.now();
      await claimRun(world, async (_tx, claim) => {
        for (let attempt = 1; attempt <= JOB_RETRY.maxAttempts; attempt += 1) {
          assert.equal((await claim({ leaseToken: `dead ${attempt}` })).length, 1);
        }
      });
      let runs = 0;
      await startWorker(t, database, busy, async () => {
        runs += 1;
        return {};
      });
      await rest(busy);
      assert.deepEqual([runs, await reads.countFailedJobs(RETENTION_QUEUE)], [0, 1]);
      await assertNextRun(reads, now);
    });

    it('retention runs again at once when the clock was days ahead and returns', async (t) => {
      const { database, reads, busy } = await openWorld(t, target);
      let aheadMs = 40 * DAY_MS;
      const { clock } = busy;
      const jumping = { ...clock, now: () => new Date(clock.now().getTime() + aheadMs) };
      let runs = 0;
      const run = async () => {
        runs += 1;
        return {};
      };
      await startWorker(t, database, { ...busy, clock: jumping }, run);
      await turnUntil(busy, () => runs === 1);
      await rest(busy);
      aheadMs = 0;
      await turnUntil(busy, () => runs === 2);
      await rest(busy);
      assert.equal(runs, 2);
      const dueAt = await reads.nextDueAt(RETENTION_QUEUE);
      assert.ok(dueAt && dueAt.getTime() <= clock.now().getTime() + DAY_MS);
    });

    it('retention does not run again when the clock is set back by some minutes', async (t) => {
      const { database, busy } = await openWorld(t, target);
      let aheadMs = 600_000;
      const { clock } = busy;
      const jumping = { ...clock, now: () => new Date(clock.now().getTime() + aheadMs) };
      let runs = 0;
      const run = async () => {
        runs += 1;
        return {};
      };
      await startWorker(t, database, { ...busy, clock: jumping }, run);
      await turnUntil(busy, () => runs === 1);
      aheadMs = 0;
      await rest(busy);
      assert.equal(runs, 1);
    });

    it('a retention run interrupted by a stop is due again at once', async (t) => {
      const { database, reads, busy, clock } = await openWorld(t, target);
      let runs = 0;
      const untilStopped = (signal?: AbortSignal) => {
        runs += 1;
        return new Promise<Record<string, number>>((resolve) => {
          signal?.addEventListener('abort', () => resolve({}));
        });
      };
      const worker = await startWorker(t, database, busy, untilStopped);
      await turnUntil(busy, () => runs === 1);
      await worker.stop();
      const dueAt = await reads.nextDueAt(RETENTION_QUEUE);
      assert.ok(dueAt && dueAt <= clock.now());
    });
  });
}
