/** Runs up to `concurrency` tasks at once; the others wait, by key. */
export type FairGate = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Limits of a {@link FairGate}. */
export interface FairGateOptions {
  /** Tasks that run at once. */
  readonly concurrency: number;
  /** Tasks that may wait in all. */
  readonly maxWaiting: number;
  /** Tasks of one key that may wait. */
  readonly maxWaitingPerKey: number;
  /** The error of a task that may not wait: because of its own key, or of all keys together. */
  refusal(reason: 'key' | 'all'): Error;
}

interface Waiter {
  admit(): void;
  refuse(error: Error): void;
}

/**
 * Creates a gate whose keys take turns, so that a key with many tasks delays another key's first
 * task by one task at most. When all places are taken, a task displaces the latest one of the key
 * with the most, unless its own key has as many.
 */
export function createFairGate(options: FairGateOptions): FairGate {
  const { concurrency, maxWaiting, maxWaitingPerKey, refusal } = options;
  // The order of the keys is that of their turns.
  const queues = new Map<string, Waiter[]>();
  let running = 0;
  let waiting = 0;

  function remove(key: string, take: (queue: Waiter[]) => Waiter | undefined): Waiter | undefined {
    const queue = queues.get(key) ?? [];
    const waiter = take(queue);
    if (queue.length === 0) queues.delete(key);
    waiting -= 1;
    return waiter;
  }

  function makeRoom(ownLength: number): void {
    let longest = { key: '', length: ownLength + 1 };
    for (const [key, { length }] of queues) {
      if (length > longest.length) longest = { key, length };
    }
    if (longest.length === ownLength + 1) throw refusal('all');
    remove(longest.key, (queue) => queue.pop())?.refuse(refusal('key'));
  }

  function wait(key: string): Promise<void> {
    const queue = queues.get(key) ?? [];
    if (queue.length >= maxWaitingPerKey) throw refusal('key');
    if (waiting >= maxWaiting) makeRoom(queue.length);
    waiting += 1;
    queues.set(key, queue);
    return new Promise((resolve, reject) => queue.push({ admit: resolve, refuse: reject }));
  }

  /** Hands the place of a finished task to the next key's first one. */
  function leave(): void {
    const [key] = queues.keys();
    if (key === undefined) {
      running -= 1;
      return;
    }
    const next = remove(key, (queue) => queue.shift());
    const rest = queues.get(key);
    if (rest) {
      queues.delete(key);
      queues.set(key, rest);
    }
    next?.admit();
  }

  return async (key, work) => {
    if (running >= concurrency) await wait(key);
    else running += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
