import { parentPort, workerData } from 'node:worker_threads';
import { loadEncoder } from '../meaning/encoder-thread.ts';
import type { ThreadData } from '../threads/thread-end.ts';
import { takeSetUp } from '../threads/thread-end.ts';
import { LibraryMissingError, ModelOutputError } from './library.ts';
import type {
  LabeledSpan,
  ModelInput,
  ThreadAnswer,
  ThreadRequest,
  ThreadSetUp,
} from './messages.ts';
import type { RunBatch } from './run-model.ts';
import { loadModel } from './run-model.ts';

// The thread of one model: loads it at once, then works off one request after the other.
const setUp = takeSetUp(workerData as ThreadData<ThreadSetUp>);
const wanted = new Set<number>();
const answer = (message: ThreadAnswer) => parentPort?.postMessage(message);
const loading = setUp.task === 'meaning' ? loadEncoder(setUp.folder) : loadModel(setUp);
const { batchSize } = setUp.task === 'meaning' ? setUp : setUp.model;
let work: Promise<void> = loading.then(() => answer({ kind: 'ready' }), tellBroken);

parentPort?.on('message', (request: ThreadRequest) => {
  const { kind, key } = request;
  if (kind === 'cancel') {
    wanted.delete(key);
    return;
  }
  wanted.add(key);
  work = work.then(() => run(key, request.inputs));
});

function tellBroken(error: unknown): void {
  const failure = error instanceof LibraryMissingError ? 'missing' : 'model';
  answer({ kind: 'broken', failure, message: firstLine(error) });
}

async function run(key: number, inputs: readonly ModelInput[]): Promise<void> {
  try {
    const result = await runBatches(await loading, key, inputs);
    if (result !== undefined) answer({ kind: 'done', key, result });
  } catch (error) {
    // What the library says could repeat the text.
    const message =
      error instanceof ModelOutputError ? error.message : 'the model could not be run on a text';
    answer({ kind: 'failed', key, message });
  }
  wanted.delete(key);
}

async function runBatches(runBatch: RunBatch, key: number, inputs: readonly ModelInput[]) {
  const rows: Float32Array[] = [];
  const spans: (readonly LabeledSpan[])[] = [];
  let labels: readonly string[] = [];
  for (let from = 0; from < inputs.length; from += batchSize) {
    // The model computes without a break; a cancellation gets through in between.
    await new Promise((resolve) => setImmediate(resolve));
    if (!wanted.has(key)) return undefined;
    const batch = await runBatch(inputs.slice(from, from + batchSize));
    labels = batch.labels;
    rows.push(...batch.rows);
    spans.push(...(batch.spans ?? []));
  }
  return { labels, rows, spans: spans.length === 0 ? undefined : spans };
}

function firstLine(error: unknown): string {
  return String((error as Error | undefined)?.message ?? error).split('\n', 1)[0] ?? '';
}
