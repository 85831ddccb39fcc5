import type { CountedCache } from '../cache/caches.ts';
import type { TraceSpan } from './tracing.ts';

/** A cache whose look-ups are shown below a span. */
export function withCacheSpans(cache: CountedCache, span: TraceSpan | undefined): CountedCache {
  if (!span?.isRecorded) return cache;
  return {
    ...cache,
    async get(type, key) {
      const lookUp = span.child('cache.get', { attributes: { 'probity.cache.type': type } });
      try {
        const found = await cache.get(type, key);
        lookUp.set({ 'probity.cache.hit': found !== undefined });
        return found;
      } finally {
        lookUp.end();
      }
    },
  };
}
