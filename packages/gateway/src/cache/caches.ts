import type { Clock, Logger, Metrics } from '@probity/core';
import type { GatewayKey } from '../compliance/gateway-key.ts';
import type { GatewayConfig } from '../config/read-config.ts';
import type { CacheType } from '../metrics/definitions.ts';
import { METRICS } from '../metrics/definitions.ts';
import { createMemoryCache } from './memory.ts';
import type { CacheStore } from './store.ts';

/** A cache that counts what it finds. */
export interface CountedCache {
  get(type: CacheType, key: string): Promise<string | undefined>;
  set(type: CacheType, key: string, text: string): Promise<void>;
}

/** The caches of configurations; one that stays the same keeps its cache over reloads. */
export interface Caches {
  /** The cache of a configuration, which is opened where it is not; null where caching is off. */
  open(config: GatewayConfig): Promise<CountedCache | null>;
  /** Closes those of all other configurations. */
  use(config: GatewayConfig): void;
  check(): string;
  /** A cache that is down keeps no scan from being taken. */
  isReady(): boolean;
  probe(): Promise<void>;
  /** Share of look-ups that found something; 0 before the first. */
  hitRatio(): number;
  close(): void;
}

/** Dependencies of the caches. */
export interface CachesOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly key: GatewayKey;
}

/** Creates the caches. */
export function createCaches({ clock, logger, metrics, key }: CachesOptions): Caches {
  const stores = new Map<string, CacheStore>();
  let current: CacheStore | null = null;
  let hits = 0;
  let misses = 0;
  const nameOf = ({ caching }: GatewayConfig) => JSON.stringify(caching);
  const openStore = async ({ caching }: GatewayConfig): Promise<CacheStore> => {
    if (caching.host === undefined) return createMemoryCache(caching, clock);
    const { openRedisCache } = await import('./redis.ts');
    const signingKey = key.derive('cache-signature');
    return openRedisCache(caching, { clock, logger, signingKey });
  };
  const counted = (store: CacheStore): CountedCache => ({
    async get(type, entry) {
      const found = await store.get(`${type}:${entry}`);
      if (found === undefined) misses++;
      else hits++;
      metrics.count(found === undefined ? METRICS.cacheMisses : METRICS.cacheHits, { type });
      return found;
    },
    set: (type, entry, text) => store.set(`${type}:${entry}`, text),
  });
  return {
    async open(config) {
      if (!config.caching.enabled) return null;
      const name = nameOf(config);
      const store = stores.get(name) ?? (await openStore(config));
      stores.set(name, store);
      return counted(store);
    },
    use(config) {
      current = config.caching.enabled ? (stores.get(nameOf(config)) ?? null) : null;
      for (const [name, store] of stores) {
        if (store === current) continue;
        store.close();
        stores.delete(name);
      }
    },
    check: () => current?.check() ?? 'disabled',
    isReady: () => true,
    async probe() {
      await current?.probe();
    },
    hitRatio: () => (hits + misses === 0 ? 0 : hits / (hits + misses)),
    close() {
      for (const store of stores.values()) store.close();
      stores.clear();
    },
  };
}
