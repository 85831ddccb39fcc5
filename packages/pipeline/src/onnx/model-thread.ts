import { Worker } from 'node:worker_threads';
import { BackendError } from '../backends/backend-error.ts';
import { checkCount } from '../stage-options.ts';
import { linkThread } from '../threads/thread-end.ts';
import type {
  ModelInput,
  ModelRows,
  ThreadAnswer,
  ThreadRequest,
  ThreadSetUp,
} from './messages.ts';

/** Times of a thread, and what tells them. */
export interface ThreadTimes {
  /** For one call, once the model is loaded. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Monotonic milliseconds and timer; the defaults are of the process. */
  readonly now?: (() => number) | undefined;
  readonly startTimer?: ((run: () => void, delayMs: number) => () => void) | undefined;
}

/** A model in a thread of its own. */
export interface ModelThread {
  /**
   * Runs texts through the model, which is loaded at the first call.
   *
   * @throws BackendError `missing` without the library, `model` where the model cannot be loaded or
   *   run, `timeout` when it takes too long; the signal's reason when it aborts
   */
  run(inputs: readonly ModelInput[], signal: AbortSignal): Promise<ModelRows>;
  /**
   * Fails the calls that wait, and ends the thread once it has loaded what it loads or computed the
   * texts that it computes. A later call starts another.
   */
  close(): Promise<void>;
}

/** So long after a failed start no other one is tried: each scan would pay for it. */
const RETRY_MS = 30_000;
const TIMEOUT_MS = 5_000;
const ENDED = 'the thread of the model ended';

interface Waiting {
  readonly resolve: (result: ModelRows) => void;
  readonly reject: (error: unknown) => void;
  /** Starts the clock of the call, once the model is loaded. */
  readonly start: () => void;
}

interface Running {
  readonly worker: Worker;
  readonly end: () => Promise<void>;
  readonly waiting: Map<number, Waiting>;
  isReady: boolean;
}

/**
 * Makes what runs a model in a thread: it computes for tens of milliseconds without a break, and its
 * library has settings that belong to a whole program. The thread does not keep the process alive.
 *
 * @throws PipelineConfigError naming the option at fault
 */
export function createModelThread(options: ThreadTimes, setUp: ThreadSetUp): ModelThread {
  const timeoutMs = checkCount('timeoutMs', options.timeoutMs ?? TIMEOUT_MS, 1, 2 ** 31 - 1);
  const { now = () => performance.now(), startTimer = startTimeout } = options;
  let running: Running | undefined;
  let broken: { readonly error: BackendError; readonly at: number } | undefined;
  let ending: Promise<unknown> = Promise.resolve();
  let lastKey = 0;

  function fail(thread: Running, message: string, failure: 'missing' | 'model' = 'model'): void {
    const error = new BackendError(failure, message);
    if (running === thread && !thread.isReady) broken = { error, at: now() };
    leave(thread, error);
  }

  /** Fails the calls of a thread; none is made any more. */
  function leave(thread: Running, error: BackendError): void {
    if (running === thread) running = undefined;
    for (const { reject } of [...thread.waiting.values()]) reject(error);
  }

  function start(): Running {
    const link = linkThread(setUp);
    const worker = new Worker(new URL('./worker.js', import.meta.url), link.options);
    const end = link.attach(worker);
    const thread: Running = { worker, end, waiting: new Map(), isReady: false };
    worker.unref();
    worker.on('message', (answer: ThreadAnswer) => take(thread, answer));
    worker.on('error', () => fail(thread, 'the thread of the model failed'));
    worker.on('exit', () => fail(thread, ENDED));
    return thread;
  }

  function take(thread: Running, answer: ThreadAnswer): void {
    if (answer.kind === 'ready') {
      thread.isReady = true;
      for (const call of thread.waiting.values()) call.start();
    } else if (answer.kind === 'broken') {
      fail(thread, answer.message, answer.failure);
      void thread.end();
    } else if (answer.kind === 'done') {
      thread.waiting.get(answer.key)?.resolve(answer.result);
    } else {
      const error = new BackendError('model', answer.message);
      thread.waiting.get(answer.key)?.reject(error);
    }
  }

  return {
    async run(inputs, signal) {
      signal.throwIfAborted();
      if (inputs.length === 0) return { labels: [], rows: [] };
      if (broken !== undefined && now() - broken.at < RETRY_MS) throw broken.error;
      running ??= start();
      const thread = running;
      const key = ++lastKey;
      return call(thread, { kind: 'run', key, inputs }, signal, (expire) =>
        startTimer(expire, timeoutMs),
      );
    },
    async close() {
      const thread = running;
      if (thread !== undefined) {
        leave(thread, new BackendError('model', ENDED));
        ending = Promise.all([ending, thread.end()]);
      }
      await ending;
    },
  };
}

function startTimeout(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

function call(
  { worker, waiting, isReady }: Running,
  request: ThreadRequest & { readonly kind: 'run' },
  signal: AbortSignal,
  startTimer: (expire: () => void) => () => void,
): Promise<ModelRows> {
  const { key } = request;
  return new Promise((resolve, reject) => {
    let stopTimer = () => {};
    const over = (): void => {
      stopTimer();
      signal.removeEventListener('abort', abort);
      waiting.delete(key);
      if (waiting.size === 0) worker.unref();
    };
    const giveUp = (reason: unknown): void => {
      over();
      worker.postMessage({ kind: 'cancel', key } satisfies ThreadRequest);
      reject(reason);
    };
    const abort = () => giveUp(signal.reason);
    const start = (): void => {
      stopTimer = startTimer(() =>
        giveUp(new BackendError('timeout', 'the model exceeded its time limit')),
      );
    };
    waiting.set(key, {
      start,
      resolve: (result) => {
        over();
        resolve(result);
      },
      reject: (error) => {
        over();
        reject(error);
      },
    });
    signal.addEventListener('abort', abort, { once: true });
    worker.ref();
    if (isReady) start();
    worker.postMessage(request);
  });
}
