import { Worker } from 'node:worker_threads';
import { END_MS, linkThread } from '../threads/thread-end.ts';
import type { Batch, BatchAnswer, BatchRunner, RunnerConfig } from './batches.ts';

/** What a worker is sent, and what it answers. */
export interface WorkerRequest {
  readonly key: number;
  readonly batch: Batch;
}

/** The answer to a {@link WorkerRequest}. */
export interface WorkerAnswer {
  readonly key: number;
  readonly answer: BatchAnswer;
}

/** Batches that one worker may have at a time: one to work on, one that waits. */
const PER_WORKER = 2;

/** A thread ended before its work was done, for want of memory perhaps. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError';
}

interface Waiting {
  readonly resolve: (answer: BatchAnswer) => void;
  readonly reject: (error: unknown) => void;
}

/** Scans batches in `count` threads. A thread that dies fails the batches that it had. */
export function createThreadRunner(config: RunnerConfig, count: number): BatchRunner {
  const members = Array.from({ length: count }, () => createMember(config));
  return {
    capacity: count * PER_WORKER,
    run(batch) {
      const idlest = members.reduce((held, next) => (next.load() < held.load() ? next : held));
      return idlest.run(batch);
    },
    async close() {
      await Promise.all(members.map((member) => member.close()));
    },
  };
}

function createMember(config: RunnerConfig) {
  const link = linkThread(config, END_MS);
  const worker = new Worker(new URL('./worker.js', import.meta.url), link.options);
  const end = link.attach(worker);
  const waiting = new Map<number, Waiting>();
  let lastKey = 0;
  let failure: ThreadError | undefined;
  const fail = (message: string) => {
    failure ??= new ThreadError(message);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  worker.on('message', ({ key, answer }: WorkerAnswer) => {
    waiting.get(key)?.resolve(answer);
    waiting.delete(key);
  });
  worker.on('error', (error) => fail(`a thread failed: ${(error as Error).message}`));
  worker.on('exit', (code) => fail(`a thread ended with exit code ${code}`));
  return {
    load: () => waiting.size,
    run(batch: Batch): Promise<BatchAnswer> {
      if (failure !== undefined) return Promise.reject(failure);
      const key = ++lastKey;
      return new Promise((resolve, reject) => {
        waiting.set(key, { resolve, reject });
        worker.postMessage({ key, batch } satisfies WorkerRequest);
      });
    },
    close: end,
  };
}
