import { ScanCanceledError, ScanPoolError } from '../errors.ts';
import { END_MS, linkThread } from '../threads/thread-end.ts';
import type { ScanInput, ScanResult } from '../types.ts';
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
  scan(input: ScanInput, signal: AbortSignal | undefined): Promise<ScanResult>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (result: ScanResult) => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal | undefined;
}

/** Starts a thread. It keeps the process alive only while it has work. */
export function startScanThread(source: PoolSource): ScanThread {
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
  const fail = (message: string) => {
    failure ??= new ScanPoolError(message);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  worker.on('message', (answer: PoolAnswer) => {
    const scan = waiting.get(answer.key);
    waiting.delete(answer.key);
    if (waiting.size === 0) worker.unref();
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
      const cancel = () => worker.postMessage({ key, cancel: true } satisfies PoolRequest);
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        return await new Promise<ScanResult>((resolve, reject) => {
          worker.postMessage({ key, input } satisfies PoolRequest);
          waiting.set(key, { resolve, reject, signal });
          worker.ref();
        });
      } finally {
        signal?.removeEventListener('abort', cancel);
      }
    },
    async close() {
      fail('the scan pool is closed');
      await end();
    },
  };
}
