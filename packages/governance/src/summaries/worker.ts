import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobOutcome, KernelOperations, NewJob, Runtime, Service } from '@probity/core';
import { createWorker, done, OUTSIDE_REQUEST, ProbityError, retryAt } from '@probity/core';
import type { RuntimeSummary } from '@probity/core/internal';
import { DAY_MS } from '@probity/core/internal';
import type { UpkeepStorage } from '../settings/storage.ts';
import type { GovernanceStorage } from '../storage.ts';
import {
  createFirstDay,
  dateOf,
  dayAfter,
  isAhead,
  nextSummableAt,
  summableUntil,
} from './days.ts';
import { summarizeDay } from './summarize.ts';

/** The queue of the recurring job that finds the days to sum up. */
export const SUMMARY_PLAN_QUEUE = 'governance.summaries.plan';
/** The queue of the days to sum up, one job for each organization and day. */
export const SUMMARY_QUEUE = 'governance.summaries';

/** Dependencies of the worker beside a runtime. */
export interface SummaryWorkerOptions {
  readonly storage: GovernanceStorage;
  readonly upkeep: UpkeepStorage;
}

/** Sums up days in the background. */
export interface SummaryWorker extends Service {
  /** Sums up every day that is due and resolves with the number of jobs. */
  runOnce(): Promise<number>;
}

/** Organizations of one look. */
const PAGE = 100;
/** Days that one process sums up at once: each reads as fast as it can. */
const CONCURRENCY = 2;

/**
 * Sums up each day (UTC) of each organization as one `runtime.summarized` for every AI system with calls or alerts. The
 * events and the note that the day is done commit together with the end of the job, so that each is emitted exactly
 * once, whatever processes run or die. Days that were missed follow, the earliest first.
 */
export function createSummaryWorker(
  runtime: Runtime,
  options: SummaryWorkerOptions,
): SummaryWorker {
  const { database, clock } = runtime;
  const planJob = (dueAt: Date): NewJob => ({
    id: 'job_runtime_summaries',
    queue: SUMMARY_PLAN_QUEUE,
    tenantId: null,
    group: SUMMARY_PLAN_QUEUE,
    payload: {},
    dueAt,
  });
  const planNext = (tx: KernelOperations) => tx.enqueueJobs([planJob(nextSummableAt(clock.now()))]);
  const planner = createWorker({
    ...runtime,
    queue: SUMMARY_PLAN_QUEUE,
    longestDelayMs: DAY_MS,
    async handler(_job, signal) {
      await planDays(runtime, options, signal);
      return signal.aborted ? retryAt(clock.now()) : done(planNext);
    },
    onGivenUp: planNext,
  });
  const summarizer = createWorker({
    ...runtime,
    queue: SUMMARY_QUEUE,
    longestDelayMs: DAY_MS,
    concurrency: CONCURRENCY,
    groupConcurrency: 1,
    handler: ({ payload }, signal) =>
      summarize(runtime, options, payload.organizationId ?? '', payload.day ?? '', signal),
  });
  const ensurePlan = () =>
    database.transaction((session) => database.kernel(session).ensureJob(planJob(clock.now())));
  return {
    async start() {
      await ensurePlan();
      await planner.start();
      await summarizer.start();
    },
    async runOnce() {
      await ensurePlan();
      await planner.runOnce();
      return summarizer.runOnce();
    },
    async stop() {
      await Promise.all([planner.stop(), summarizer.stop()]);
    },
  };
}

function dayJob(organizationId: string, day: Date, dueAt: Date): NewJob {
  const date = dateOf(day);
  return {
    id: `job_runtime_${organizationId}_${date}`,
    queue: SUMMARY_QUEUE,
    tenantId: organizationId,
    group: SUMMARY_QUEUE,
    payload: { organizationId, day: date },
    dueAt,
  };
}

/** Stores the job of the first day that is due, for every organization that has one. */
async function planDays(
  runtime: Runtime,
  { storage, upkeep }: SummaryWorkerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock } = runtime;
  const reads = database.kernel(database.reader);
  const firstDay = createFirstDay(runtime, storage);
  const now = clock.now();
  const until = summableUntil(now);
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted; ) {
    const organizationIds: string[] = await reads.listTenants(after, PAGE);
    for (const organizationId of organizationIds) {
      const noted = await upkeep.findSummarizedUntil(organizationId);
      const begun = noted && isAhead(noted, now) ? until : noted;
      const hasScans = begun !== null || (await storage.oldestScanAt(organizationId)) !== null;
      const day = begun ?? (await firstDay(organizationId));
      if (hasScans && (begun !== noted || begun === null || day < until)) {
        await unlessRemoved(() =>
          upkeep.withTenantLock(OUTSIDE_REQUEST, organizationId, async (tx) => {
            if (noted && begun !== noted) await tx.advanceSummaries(organizationId, noted, day);
            await tx.beginSummaries(organizationId, day);
            if (day < until) await tx.ensureJob(dayJob(organizationId, day, clock.now()));
          }),
        );
      }
      await nextTurn();
    }
    after = organizationIds.at(-1);
  }
}

async function summarize(
  runtime: Runtime,
  { storage, upkeep }: SummaryWorkerOptions,
  organizationId: string,
  date: string,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { clock, emit } = runtime;
  const day = new Date(`${date}T00:00:00.000Z`);
  const begun = await upkeep.findSummarizedUntil(organizationId);
  if (begun?.getTime() !== day.getTime()) return done();
  const summaries = await summarizeDay(storage, organizationId, day, signal);
  if (!summaries) return retryAt(clock.now());
  const cause = { principal: { organizationId }, requestId: null };
  const store = async ({ session }: KernelOperations) =>
    upkeep.withTenantLock({ session }, organizationId, async (tx) => {
      const next = dayAfter(day);
      if (!(await tx.advanceSummaries(organizationId, day, next))) return;
      for (const summary of summaries) {
        await emit(tx, cause, 'runtime.summarized', summary satisfies RuntimeSummary);
      }
      const now = clock.now();
      if (next < summableUntil(now)) await tx.ensureJob(dayJob(organizationId, next, now));
    });
  return done((tx) => unlessRemoved(() => store(tx)), { byTenant: true });
}

/** Runs work under the lock of an organization that may have been removed; then there is nothing to do. */
async function unlessRemoved(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof ProbityError && error.kind === 'not_found')) throw error;
  });
}
