/** Collects items and hands them on together. */
export interface Batch<Item> {
  add(item: Item): void;
  /** Hands on at once what has been collected. */
  flush(): void;
}

/** How long a line waits at most for others. */
const BATCH_MS = 20;

/**
 * Collects what becomes lines of standard output, with one system call for all lines of
 * {@link BATCH_MS}; a call for each costs a busy server more than all else about its log. A process
 * that ends by itself or by an error writes what it has; one that is killed can lose the lines of
 * that time.
 */
export function createOutputBatch<Item>(toText: (items: readonly Item[]) => string): Batch<Item> {
  const batch = createBatch<Item>(
    (items) => process.stdout.write(toText(items)),
    (callback) => setTimeout(callback, BATCH_MS).unref(),
  );
  process.once('exit', batch.flush);
  return batch;
}

/** Hands items to `deliver` together and in order, when `schedule` calls back. */
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
