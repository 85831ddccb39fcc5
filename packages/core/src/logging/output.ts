/** Collects items and delivers them in batches. */
export interface Batch<Item> {
  add(item: Item): void;
  /** Delivers the collected items immediately. */
  flush(): void;
}

/** Maximum time a line waits for others. */
const BATCH_MS = 20;

/**
 * Collects lines for standard output and writes all lines of {@link BATCH_MS} with one system call;
 * a call per line costs a busy server more than the rest of logging. A process that ends by itself
 * or by an error flushes its lines; one that is killed can lose the lines of that time.
 */
export function createOutputBatch<Item>(toText: (items: readonly Item[]) => string): Batch<Item> {
  const batch = createBatch<Item>(
    (items) => process.stdout.write(toText(items)),
    (callback) => setTimeout(callback, BATCH_MS).unref(),
  );
  process.once('exit', batch.flush);
  return batch;
}

/** Delivers items to `deliver` in batches and in order, when `schedule` calls back. */
export function createBatch<Item>(
  deliver: (items: readonly Item[]) => unknown,
  schedule: (callback: () => void) => unknown,
): Batch<Item> {
  let waiting: Item[] = [];
  const flush = () => {
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    deliver(items);
  };
  return {
    add(item) {
      if (waiting.length === 0) schedule(flush);
      waiting.push(item);
    },
    flush,
  };
}
