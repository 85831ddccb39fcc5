import type { MessagePort, Worker } from 'node:worker_threads';

/** What a thread is started with, in its `workerData`. */
export interface ThreadData<SetUp> {
  readonly setUp: SetUp;
  /** Tells the thread to end. */
  readonly endPort: MessagePort;
  /** One `Int32`: 1 once the thread runs no code any more that must not be interrupted. */
  readonly ended: SharedArrayBuffer;
}

/** The options of a `Worker` that can be ended, and how. */
export interface ThreadLink<SetUp> {
  readonly options: {
    readonly workerData: ThreadData<SetUp>;
    readonly transferList: [MessagePort];
  };
  /** Gives the function that ends the thread, with all threads that it has started, and waits for it. */
  attach(worker: Worker): () => Promise<void>;
}

/** So long a process that exits waits for its threads, and a pool for one that does not give up the event loop. */
export const END_MS = 10_000;
const ENDED = 1;

interface Living {
  readonly tell: () => void;
  readonly ended: Int32Array;
}

/** The threads that were started here, in the process or a thread, and have not ended. */
const living = new Set<Living>();

/**
 * Makes what connects a thread to its end. A thread is not stopped from outside: the runtime of ONNX
 * aborts the whole process when a thread is stopped within its code (`Napi::Error`). It is told to
 * end, and does so between two turns of its event loop. A process that exits tells all its threads,
 * and waits up to 10 s for them.
 *
 * @param setUp what the thread gets from `takeSetUp`; data that can be sent to a thread
 * @param patienceMs how long the end is waited for, in milliseconds, before the thread is stopped from
 *   outside; default for as long as it takes
 * @example
 * const link = linkThread(setUp);
 * const worker = new Worker(new URL('./worker.js', import.meta.url), link.options);
 * const end = link.attach(worker);
 */
export function linkThread<SetUp>(setUp: SetUp, patienceMs?: number): ThreadLink<SetUp> {
  // Loaded at the first thread: few programs that scan ever start one.
  const { MessageChannel } = process.getBuiltinModule('node:worker_threads');
  const { port1: ownPort, port2: endPort } = new MessageChannel();
  const ended = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const tell = () => ownPort.postMessage('end');
  const self: Living = { tell, ended: new Int32Array(ended) };
  return {
    options: { workerData: { setUp, endPort, ended }, transferList: [endPort] },
    attach(worker) {
      let isOver = false;
      addLiving(self);
      const over = new Promise<void>((resolve) => {
        worker.once('exit', () => {
          isOver = true;
          removeLiving(self);
          ownPort.close();
          resolve();
        });
      });
      return async () => {
        if (isOver) return;
        worker.ref();
        tell();
        const timer =
          patienceMs === undefined ? undefined : setTimeout(() => worker.terminate(), patienceMs);
        await over;
        clearTimeout(timer);
      };
    },
  };
}

/**
 * In a thread: what it was started with. From then on the thread ends when it is told to.
 *
 * @param data the `workerData` of the thread
 */
export function takeSetUp<SetUp>({ setUp, endPort, ended }: ThreadData<SetUp>): SetUp {
  process.once('exit', () => {
    endLiving();
    const flag = new Int32Array(ended);
    Atomics.store(flag, 0, ENDED);
    Atomics.notify(flag, 0);
  });
  endPort.once('message', () => process.exit());
  endPort.unref();
  return setUp;
}

function addLiving(thread: Living): void {
  if (living.size === 0) process.on('exit', endLiving);
  living.add(thread);
}

function removeLiving(thread: Living): void {
  living.delete(thread);
  if (living.size === 0) process.off('exit', endLiving);
}

/** Waits without giving up the event loop, which does not turn any more once a process exits. */
function endLiving(): void {
  const deadline = performance.now() + END_MS;
  for (const { tell } of living) tell();
  for (const { ended } of living) {
    Atomics.wait(ended, 0, 0, Math.max(0, deadline - performance.now()));
  }
}
