import type { NewJob, Runtime, Service } from '@probity/core';
import { createWorker, done, OUTSIDE_REQUEST, retryAt } from '@probity/core';
import type { KnowledgeStorage, KnowledgeTransaction } from '../storage.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';

/** The queue of knowledge bases whose vectors are brought up to date. */
export const INDEX_QUEUE = 'knowledge.index';

/** Milliseconds after which a run makes way for those of other organizations. */
const RUN_MS = 2_000;
/** Organizations of one read. */
const PAGE = 200;
/** Collections that a look drops. */
const DROPPED = 1_000;

/** What makes the job of a change. */
export type IndexPlanner = Pick<Runtime, 'ids' | 'clock'>;

/** Stores, in the transaction of a change, that the vectors lack it. */
export async function planIndexing(
  { ids, clock }: IndexPlanner,
  tx: Pick<KnowledgeTransaction, 'enqueueJobs'>,
  organizationId: string,
  sequence: number,
): Promise<void> {
  // A job of its own, and not one that may be ending: it would have to be locked with the change.
  await tx.enqueueJobs([indexJob(ids.next('job'), organizationId, sequence, clock.now())]);
}

function indexJob(id: string, tenantId: string, sequence: number, dueAt: Date): NewJob {
  const payload = { sequence: String(sequence) };
  return { id, queue: INDEX_QUEUE, tenantId, group: INDEX_QUEUE, payload, dueAt };
}

/** Dependencies of {@link createIndexWorker}. */
export interface IndexWorkerOptions {
  readonly storage: KnowledgeStorage;
  readonly index: KnowledgeIndex;
}

/** Brings vectors up to date in the background. */
export interface IndexWorker extends Service {
  /** Does all that is due, and resolves with the number of jobs. */
  runOnce(): Promise<number>;
}

/**
 * Creates the worker that follows knowledge bases: a job for each change, which is done once the store has it, and is
 * taken over when its process dies. A look at its start finds what the store lacks for another reason, since it was lost
 * or another embedder is used, and drops the collections that nobody searches.
 */
export function createIndexWorker(
  runtime: Runtime,
  { storage, index }: IndexWorkerOptions,
): IndexWorker {
  const { clock, database } = runtime;
  const worker = createWorker({
    ...runtime,
    queue: INDEX_QUEUE,
    // Embedding within the process takes the processor. One place is for the look at the start, which is of no organization.
    concurrency: 3,
    groupConcurrency: 1,
    async handler({ tenantId, payload }, signal) {
      try {
        const isDone =
          tenantId === null
            ? await planMissing(signal)
            : await catchUp(tenantId, Number(payload.sequence), signal);
        return isDone ? done() : retryAt(clock.now());
      } catch (error) {
        if (signal.aborted) return retryAt(clock.now());
        throw error;
      }
    },
  });

  async function catchUp(organizationId: string, sequence: number, signal: AbortSignal) {
    const state = await index.catchUp(organizationId, { signal, forMs: RUN_MS });
    // A knowledge base that is gone, or was restored from before, will never reach it.
    return state.position >= Math.min(sequence, state.sequence);
  }

  async function planMissing(signal: AbortSignal): Promise<true> {
    let last: string | null = null;
    do {
      const page: string[] = await storage.listKnowledgeOrganizations(last, PAGE);
      for (const id of page) {
        signal.throwIfAborted();
        const { position, sequence } = await index.state(id);
        if (position === sequence) continue;
        const job = indexJob(`job_index_${id}`, id, sequence, clock.now());
        await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.ensureJob(job));
      }
      last = page.length < PAGE ? null : (page.at(-1) ?? null);
    } while (last !== null);
    await index.dropUnused(DROPPED);
    return true;
  }

  const look: NewJob = {
    ...{ id: 'job_index', queue: INDEX_QUEUE, tenantId: null, group: 'look', payload: {} },
    dueAt: clock.now(),
  };
  return {
    async start() {
      await database.transaction((session) => database.kernel(session).ensureJob(look));
      await worker.start();
    },
    stop: () => worker.stop(),
    runOnce: () => worker.runOnce(),
  };
}
