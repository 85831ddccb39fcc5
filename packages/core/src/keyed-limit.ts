import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';

/** Runs work when its key has a free place; work of one key waits in order. */
export type KeyedLimit = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Creates a limit of `concurrency` simultaneous pieces of work for each key, such as a tenant. */
export function createKeyedLimit(concurrency: number): KeyedLimit {
  const limits = new Map<string, LimitFunction>();
  return async (key, work) => {
    const limit = limits.get(key) ?? pLimit(concurrency);
    limits.set(key, limit);
    try {
      return await limit(work);
    } finally {
      // A key without work is forgotten, so that the map does not grow with the number of keys.
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(key);
    }
  };
}
