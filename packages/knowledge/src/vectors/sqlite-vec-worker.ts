import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteFile, prepareSqliteFile } from '@probity/core/internal';
import type { VectorDatabase } from './sqlite-vec-file.ts';
import { openVectorFile } from './sqlite-vec-file.ts';
import type { VectorAnswer, VectorRequest, VectorThreadSetUp } from './sqlite-vec-messages.ts';

/** The thread of a vector file: it computes for milliseconds without a break. */

const BUSY_TIMEOUT_MS = 10_000;
const { file, extension } = workerData as VectorThreadSetUp;
let opened: ReturnType<typeof openVectorFile> | null = null;

function open() {
  prepareSqliteFile(file);
  // Both drivers have the methods of the interface.
  const database = openSqliteFile(file, BUSY_TIMEOUT_MS) as unknown as VectorDatabase;
  return openVectorFile(database, extension);
}

async function answer({ key, name, args }: VectorRequest): Promise<VectorAnswer> {
  try {
    if (name === 'close') {
      opened?.close();
      parentPort?.close();
      return { key, result: null };
    }
    opened ??= open();
    const call = opened[name] as (...given: unknown[]) => VectorAnswerResult;
    return { key, result: await call(...args) };
  } catch (error) {
    return { key, error };
  }
}

type VectorAnswerResult = Extract<VectorAnswer, { result: unknown }>['result'];

parentPort?.on('message', async (request: VectorRequest) => {
  const result = await answer(request);
  parentPort?.postMessage(result);
});
