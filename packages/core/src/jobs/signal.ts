import type { NewJob } from './storage.ts';

/** What a worker is told of a stored job. */
type SignaledJob = Pick<NewJob, 'queue' | 'tenantId'>;

/** Called with the tenants of the jobs. */
type JobListener = (tenantIds: ReadonlySet<string | null>) => void;

/** Notifies the workers of this process of stored jobs, so that they need not wait for a poll. */
export interface JobSignal {
  notify(jobs: Iterable<SignaledJob>): void;
  /**
   * Calls `listener` whenever jobs of the queue are committed; returns a function that
   * unsubscribes.
   */
  subscribe(queue: string, listener: JobListener): () => void;
}

/** Creates the signal of one database. */
export function createJobSignal(): JobSignal {
  const listeners = new Map<string, Set<JobListener>>();
  return {
    notify(jobs) {
      const tenants = new Map<string, Set<string | null>>();
      for (const { queue, tenantId } of jobs) {
        tenants.set(queue, (tenants.get(queue) ?? new Set()).add(tenantId));
      }
      for (const [queue, ofQueue] of tenants) {
        for (const listener of listeners.get(queue) ?? []) listener(ofQueue);
      }
    },
    subscribe(queue, listener) {
      const ofQueue = listeners.get(queue) ?? new Set();
      listeners.set(queue, ofQueue.add(listener));
      return () => ofQueue.delete(listener);
    },
  };
}
