import type { Clock } from '@probity/core';
import { LRUCache } from 'lru-cache';
import type { AccessToken, OAuthClient } from './oauth.ts';

/** Access tokens of many clients, in the memory of this process. */
export interface TokenCache {
  /**
   * The client's token. Callers that come while it is requested share the request.
   * @throws what the request throws, to all of them; nothing is kept then
   */
  get(client: OAuthClient): Promise<string>;
  /** Forgets a token that was refused, unless another has taken its place. */
  forget(client: OAuthClient, value: string): void;
}

/** A token is requested anew this long before it ends, so that it lasts for a call. */
const MARGIN_MS = 30_000;
/** For servers that do not say when a token ends. */
const DEFAULT_LIFE_MS = 5 * 60_000;
const MAX_LIFE_MS = 24 * 3_600_000;
const MAX_TOKENS = 10_000;

/** Creates the cache. A client with another secret, or another endpoint, is another client. */
export function createTokenCache(
  clock: Clock,
  request: (client: OAuthClient) => Promise<AccessToken>,
): TokenCache {
  const cache = new LRUCache<string, string, OAuthClient>({
    max: MAX_TOKENS,
    ttl: DEFAULT_LIFE_MS,
    // The clock is read each time, as it may be turned in tests.
    ttlResolution: 0,
    // From 1 on: the cache takes the time 0 for none.
    perf: { now: () => 1 + clock.monotonicMs() },
    async fetchMethod(_key, _stale, { options, context }) {
      const { value, expiresInMs } = await request(context);
      options.ttl = lifeOf(expiresInMs);
      return value;
    },
  });
  return {
    async get(client) {
      const token = await cache.fetch(keyOf(client), { context: client });
      if (token === undefined) throw new Error('The token was removed while it was requested.');
      return token;
    },
    forget(client, value) {
      const key = keyOf(client);
      if (cache.peek(key) === value) cache.delete(key);
    },
  };
}

/** How long a token is kept; a millisecond, which is next to nothing, for one that ends at once. */
function lifeOf(expiresInMs: number | null): number {
  if (expiresInMs === null) return DEFAULT_LIFE_MS;
  return Math.max(1, Math.min(expiresInMs - MARGIN_MS, MAX_LIFE_MS));
}

function keyOf({ tokenUrl, clientId, clientSecret, scope }: OAuthClient): string {
  return JSON.stringify([tokenUrl, clientId, clientSecret, scope]);
}
