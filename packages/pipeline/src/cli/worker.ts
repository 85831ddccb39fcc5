import { parentPort, workerData } from 'node:worker_threads';
import type { RunnerConfig } from './batches.ts';
import { createLocalRunner } from './batches.ts';
import type { WorkerAnswer, WorkerRequest } from './threads.ts';

const runner = createLocalRunner(workerData as RunnerConfig);
let work = Promise.resolve();

// One batch after the other: what waits here is bounded by the sender.
parentPort?.on('message', ({ key, batch }: WorkerRequest) => {
  work = work.then(async () => {
    parentPort?.postMessage({ key, answer: await runner.run(batch) } satisfies WorkerAnswer);
  });
});
