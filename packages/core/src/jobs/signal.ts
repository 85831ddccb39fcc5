/** Notifies the workers of this process of stored jobs, so that they need not wait for a poll. */
export interface JobSignal {
  notify(queue: string): void;
  /**
   * Calls `listener` whenever jobs of the queue are committed; returns a function that
   * unsubscribes.
   */
  subscribe(queue: string, listener: () => void): () => void;
}

/** Creates the signal of one database. */
export function createJobSignal(): JobSignal {
  const listeners = new Map<string, Set<() => void>>();
  return {
    notify(queue) {
      for (const listener of listeners.get(queue) ?? []) listener();
    },
    subscribe(queue, listener) {
      const ofQueue = listeners.get(queue) ?? new Set();
      listeners.set(queue, ofQueue.add(listener));
      return () => ofQueue.delete(listener);
    },
  };
}
