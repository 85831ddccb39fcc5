import type { Clock } from '@probity/core';
import { LRUCache } from 'lru-cache';
import type { CacheSettings, CacheStore } from './store.ts';

/** Texts that the process keeps at most, in UTF-16 units: so many results of usual size fit many times over. */
const MAX_UNITS = 64 * 1_024 * 1_024;

/** A cache in the process. */
export function createMemoryCache(settings: CacheSettings, clock: Clock): CacheStore {
  const entries = new LRUCache<string, { readonly text: string; readonly untilMs: number }>({
    max: settings.max_items,
    maxSize: MAX_UNITS,
    sizeCalculation: ({ text }, key) => key.length + text.length + 1,
  });
  return {
    async get(key) {
      const entry = entries.get(key);
      if (entry === undefined || entry.untilMs > clock.monotonicMs()) return entry?.text;
      entries.delete(key);
      return undefined;
    },
    async set(key, text) {
      const untilMs = clock.monotonicMs() + settings.ttl_seconds * 1_000;
      entries.set(key, { text, untilMs });
    },
    check: () => 'ok',
    probe: async () => undefined,
    close: () => entries.clear(),
  };
}
