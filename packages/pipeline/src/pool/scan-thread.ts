import { ScanCanceledError, ScanPoolError } from '../errors.ts';
import { END_MS, linkThread } from '../threads/thread-end.ts';
import type { ScanInput, ScanResult, ScanSignal } from '../types.ts';
import type { PoolAnswer, PoolRequest, PoolSource } from './messages.ts';

/** A thread that scans. */
export interface ScanThread {
  /** Scans that it has not answered. */
  load(): number;
  /** Whether it has ended. */
  isOver(): boolean;
  /**
   * @throws ScanCanceledError when the signal aborts
   * @throws ScanPoolError when the thread ends before
   */
  scan(input: ScanInput, signal: ScanSignal | undefined): Promise<ScanResult>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (result: ScanResult) => void;
  readonly reject: (error: unknown) => void;
  readonly signal: ScanSignal | undefined;
}

/** How long threads are kept and waited for, in milliseconds. */
export interface ThreadTimes {
  /** A thread without work ends after it. */
  readonly idleMs: number;
  /** A thread whose event loop has not turned for so long, with work, is stopped from outside. */
  readonly stuckMs: number;
}

/** So long a canceled scan has to come to its end by itself, and to tell how far it came. */
const CANCEL_MS = 250;

/** Starts a thread. It keeps the process alive only while it has work. */
export function startScanThread(source: PoolSource, times: ThreadTimes): ScanThread {
  // Loaded at the first thread: few programs that scan ever start one.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const link = linkThread(source, END_MS);
  const worker = new Worker(new URL('./scan-worker.js', import.meta.url), {
    ...link.options,
    // Flags of the program (`--input-type`, `-e`) end a thread; a module may need its loaders.
    ...(source.module === undefined ? { execArgv: [] } : {}),
  });
  const end = link.attach(worker);
  const waiting = new Map<number, Waiting>();
  let lastKey = 0;
  let failure: ScanPoolError | undefined;
  worker.unref();
  let timer: NodeJS.Timeout | undefined;
  const rest = () => {
    worker.unref();
    clearTimeout(timer);
    if (times.idleMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(close, times.idleMs).unref();
  };
  const fail = (message: string) => {
    clearTimeout(timer);
    failure ??= new ScanPoolError(message);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  const watch = createWatch(times.stuckMs, {
    ask: () => worker.postMessage({ isAlive: true } satisfies PoolRequest),
    isWorking: () => waiting.size > 0,
    giveUp() {
      fail('a scanning thread was stuck, and has been stopped');
      void worker.terminate();
    },
  });
  const close = async () => {
    fail('the scan pool is closed');
    await end();
  };
  worker.on('message', (answer: PoolAnswer) => {
    watch.heard();
    if ('isAlive' in answer) return;
    const scan = waiting.get(answer.key);
    waiting.delete(answer.key);
    if (waiting.size === 0) rest();
    if (scan === undefined) return;
    if ('result' in answer) scan.resolve(answer.result);
    else if ('error' in answer) scan.reject(answer.error);
    else scan.reject(new ScanCanceledError(answer.canceled, scan.signal?.reason));
  });
  worker.on('error', (error) => fail(`a scanning thread failed: ${(error as Error).message}`));
  worker.on('exit', () => fail('a scanning thread ended'));
  return {
    load: () => waiting.size,
    isOver: () => failure !== undefined,
    async scan(input, signal) {
      if (signal?.aborted) throw new ScanCanceledError([], signal.reason);
      if (failure !== undefined) throw failure;
      const key = ++lastKey;
      let giveUp: NodeJS.Timeout | undefined;
      const cancel = () => {
        worker.postMessage({ key, cancel: true } satisfies PoolRequest);
        const error = new ScanCanceledError([], signal?.reason);
        giveUp = setTimeout(() => waiting.get(key)?.reject(error), CANCEL_MS);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        return await new Promise<ScanResult>((resolve, reject) => {
          worker.postMessage({ key, input } satisfies PoolRequest);
          waiting.set(key, { resolve, reject, signal });
          clearTimeout(timer);
          worker.ref();
          watch.begin();
        });
      } finally {
        signal?.removeEventListener('abort', cancel);
        clearTimeout(giveUp);
      }
    },
    close,
  };
}

interface Watched {
  /** Asks for a sign of life. */
  ask(): void;
  isWorking(): boolean;
  giveUp(): void;
}

/**
 * Watches a thread that has work: scans give up the event loop every few milliseconds, so one that does not
 * answer runs code that no time-out within the thread can end.
 */
function createWatch(stuckMs: number, { ask, isWorking, giveUp }: Watched) {
  /** Undefined until the thread has loaded its code. */
  let heardAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    timer = undefined;
    if (!isWorking()) return;
    if (heardAt !== undefined) {
      if (performance.now() - heardAt > stuckMs) return giveUp();
      ask();
    }
    timer = setTimeout(look, stuckMs / 4).unref();
  };
  return {
    heard() {
      heardAt = performance.now();
    },
    /** The thread gets work. */
    begin() {
      if (timer !== undefined || stuckMs === Number.POSITIVE_INFINITY) return;
      if (heardAt !== undefined) heardAt = performance.now();
      timer = setTimeout(look, stuckMs / 4).unref();
    },
  };
}
