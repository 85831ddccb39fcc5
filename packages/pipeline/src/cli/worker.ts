import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from '../threads/thread-end.ts';
import { takeSetUp } from '../threads/thread-end.ts';
import type { RunnerConfig } from './batches.ts';
import { createLocalRunner } from './batches.ts';
import type { WorkerAnswer, WorkerRequest } from './threads.ts';

const runner = createLocalRunner(takeSetUp(workerData as ThreadData<RunnerConfig>));
let work = Promise.resolve();

// One batch after the other: what waits here is bounded by the sender.
parentPort?.on('message', ({ key, batch }: WorkerRequest) => {
  work = work.then(async () => {
    parentPort?.postMessage({ key, answer: await runner.run(batch) } satisfies WorkerAnswer);
  });
});
