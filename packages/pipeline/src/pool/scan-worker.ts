import { parentPort, workerData } from 'node:worker_threads';
import { ScanCanceledError } from '../errors.ts';
import type { ThreadData } from '../threads/thread-end.ts';
import { takeSetUp } from '../threads/thread-end.ts';
import type { PoolAnswer, PoolRequest, PoolSource } from './messages.ts';
import { createPoolPipeline } from './pool-pipeline.ts';

const pipeline = createPoolPipeline(takeSetUp(workerData as ThreadData<PoolSource>));
const running = new Map<number, AbortController>();

parentPort?.on('message', async (request: PoolRequest) => {
  const { key } = request;
  if ('cancel' in request) return running.get(key)?.abort();
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
