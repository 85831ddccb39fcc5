import { parentPort, workerData } from 'node:worker_threads';
import { createLocalRunner } from './batches.ts';
import type { RowScannerConfig } from './row-scanner.ts';
import type { WorkerAnswer, WorkerRequest } from './threads.ts';

const runner = createLocalRunner(workerData as RowScannerConfig);
let work = Promise.resolve();

// One batch after the other: what waits here is bounded by the sender.
parentPort?.on('message', ({ key, batch }: WorkerRequest) => {
  work = work.then(async () => {
    parentPort?.postMessage({ key, answer: await runner.run(batch) } satisfies WorkerAnswer);
  });
});
