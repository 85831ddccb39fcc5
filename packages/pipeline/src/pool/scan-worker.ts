import { parentPort, workerData } from 'node:worker_threads';
import { ScanCanceledError } from '../errors.ts';
import type { ThreadData } from '../threads/thread-end.ts';
import { takeSetUp } from '../threads/thread-end.ts';
import type { PoolAnswer, PoolRequest, PoolSource } from './messages.ts';
import { createPoolPipeline } from './pool-pipeline.ts';

const pipeline = createPoolPipeline(takeSetUp(workerData as ThreadData<PoolSource>));
// From now on the thread only scans: what takes long before is the loading of code.
pipeline.then(
  () => parentPort?.postMessage({ isAlive: true } satisfies PoolAnswer),
  () => undefined,
);
const running = new Map<number, AbortController>();

parentPort?.on('message', async (request: PoolRequest) => {
  if ('isAlive' in request) return parentPort?.postMessage({ isAlive: true } satisfies PoolAnswer);
  const { key } = request;
  if ('cancel' in request) {
    running.get(key)?.abort();
    return;
  }
  const stop = new AbortController();
  running.set(key, stop);
  parentPort?.postMessage(await answerTo(request, stop.signal));
  running.delete(key);
});

async function answerTo(
  { key, input }: Extract<PoolRequest, { readonly input: unknown }>,
  signal: AbortSignal,
): Promise<PoolAnswer> {
  try {
    return { key, result: await (await pipeline).scan(input, { signal }) };
  } catch (error) {
    if (error instanceof ScanCanceledError) return { key, canceled: error.stages };
    return { key, error };
  }
}
