import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestClock, type TestClock } from '@probity/test-support';
import { createIds } from '../../src/ids.ts';
import { silentLogger } from '../../src/logger.ts';
import type { Retention } from '../../src/retention/retention.ts';
import { createRetentionWorker, RETENTION_QUEUE } from '../../src/retention/worker.ts';
import type { Database } from '../../src/storage.ts';
import { targets } from '../support.ts';

const DAY_MS = 86_400_000;

/** Starts a worker that lives as long as the test. */
async function startWorker(
  t: TestContext,
  database: Database,
  clock: TestClock,
  run: Retention['run'],
  intervalMs = DAY_MS,
) {
  const worker = createRetentionWorker({
    database,
    retention: { run },
    clock,
    intervalMs,
    logger: silentLogger,
    newLeaseToken: () => createIds().next('job'),
  });
  t.after(() => worker.stop());
  await worker.start();
  return worker;
}

/** Turns the clock until `isTrue`; databases answer in real time. */
async function turnUntil(clock: TestClock, isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !isTrue(); turn += 1) {
    await clock.advance(1_000);
    await delay(5);
  }
  assert.ok(isTrue(), 'it did not come to pass');
}

async function rest(clock: TestClock): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await clock.advance(1_000);
    await delay(5);
  }
}

for (const target of targets) {
  describe(`the retention worker on ${target.name}`, () => {
    it('runs at the first start, once for all workers, and is due again a day later', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const clock = createTestClock();
      const runsAt: Date[] = [];
      const run = async () => {
        runsAt.push(clock.now());
        return {};
      };
      const databases = [opened.database, opened.openAnother() ?? opened.database];
      for (const each of databases) await startWorker(t, each, clock, run);
      await turnUntil(clock, () => runsAt.length > 0);
      await rest(clock);
      assert.equal(runsAt.length, 1);
      const database: Database = opened.database;
      const reads = database.kernel(database.reader);
      assert.equal(await reads.countJobs(RETENTION_QUEUE), 1);
      const dueAt = await reads.nextDueAt(RETENTION_QUEUE, []);
      assert.equal(dueAt?.getTime(), (runsAt[0]?.getTime() ?? 0) + DAY_MS);
    });

    it('runs again when it is due, once for all workers', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const clock = createTestClock();
      let runs = 0;
      const run = async () => {
        runs += 1;
        return {};
      };
      const databases = [opened.database, opened.openAnother() ?? opened.database];
      for (const each of databases) await startWorker(t, each, clock, run, 60_000);
      await turnUntil(clock, () => runs === 1);
      await turnUntil(clock, () => runs === 2);
      await rest(clock);
      assert.equal(runs, 2);
    });

    it('is begun again by another worker when the one that ran it has died', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const clock = createTestClock();
      let isBegun = false;
      // The dead worker: it took the job and is never heard of again.
      const database: Database = opened.database;
      await database.transaction(async (session) => {
        const tx = database.kernel(session);
        const job = { id: 'job_retention', queue: RETENTION_QUEUE, lane: 'retention', payload: {} };
        await tx.ensureJob({ ...job, dueAt: clock.now() });
        const leaseUntil = new Date(clock.now().getTime() + 15_000);
        const claim = { leaseToken: 'dead', limit: 1, laneCapacity: () => 1 };
        await tx.claimJobs({ queue: RETENTION_QUEUE, now: clock.now(), leaseUntil, ...claim });
      });
      const begunAt = clock.now().getTime();
      await startWorker(t, opened.database, clock, async () => {
        isBegun = true;
        return {};
      });
      await turnUntil(clock, () => isBegun);
      assert.ok(clock.now().getTime() - begunAt >= 15_000);
    });

    it('is due again at once when a stop broke it off', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      const clock = createTestClock();
      let runs = 0;
      const untilStopped = (signal?: AbortSignal) => {
        runs += 1;
        return new Promise<Record<string, number>>((resolve) => {
          signal?.addEventListener('abort', () => resolve({}));
        });
      };
      const worker = await startWorker(t, opened.database, clock, untilStopped);
      await turnUntil(clock, () => runs === 1);
      await worker.stop();
      const database: Database = opened.database;
      const reads = database.kernel(database.reader);
      const dueAt = await reads.nextDueAt(RETENTION_QUEUE, []);
      assert.ok(dueAt && dueAt <= clock.now());
    });
  });
}
