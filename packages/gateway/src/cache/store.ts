import type { GatewayConfig } from '../config/read-config.ts';

/** The settings of a cache. */
export type CacheSettings = GatewayConfig['caching'];

/**
 * Keeps texts for `caching.ttl_seconds`, at most `caching.max_items`; the least recently used go first. A cache that is
 * down finds nothing and keeps nothing.
 */
export interface CacheStore {
  /** The text of a key; undefined where there is none. Never rejects. */
  get(key: string): Promise<string | undefined>;
  /** Keeps a text. Never rejects. */
  set(key: string, text: string): Promise<void>;
  /** `ok`, `starting` or `error: …`. */
  check(): string;
  /** Asks whether it answers, for `check`. Never rejects. */
  probe(): Promise<void>;
  close(): void;
}
